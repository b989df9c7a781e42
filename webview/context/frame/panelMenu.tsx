import type { ReadonlySignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { ContextView } from '../../../src/protocol/contextPanel';
import type { ExportForm } from '../../../src/protocol/shownBlocks';
import { formatNumber } from '../../ui/tokens';
import { exportWish } from '../blocks/exportWish';
import type { Look } from '../look';
import { MenuButton, type MenuItem } from '../parts/menuButton';
import type { PanelStore, SendWish } from '../panelStore';
import { hasSteps } from './travel';

export interface PanelMenuProps {
  readonly context: ContextView;
  readonly wish: SendWish;
  /** Opens the scratch copy of the settings. */
  readonly onTryOut: PanelStore['tryOut'];
  /** How the user looks at the blocks: exports are of what is shown. */
  readonly look: ReadonlySignal<Look>;
}

/** Offers what is wanted less often: settings, exports, forks and recordings. */
export function PanelMenu(props: PanelMenuProps): VNode {
  return (
    <MenuButton label="More actions" items={itemsOf(props)} data-testid="menu">
      <span aria-hidden="true">⋯</span>
    </MenuButton>
  );
}

function itemsOf({ context, wish, onTryOut, look }: PanelMenuProps): readonly MenuItem[] {
  const { source, travel, settings, blocks } = context;
  const isRecording = source.type === 'recording';
  const step = travel.at === 'now' ? travel.last : travel.at;
  const whyEmpty = hasSteps(travel) ? undefined : 'There is no step yet.';
  const exportItem = (form: ExportForm, label: string): MenuItem => ({
    label,
    run: () => wish(exportWish(form, blocks, look.peek())),
    whyNot: whyEmpty,
    testId: `export-${form}`,
  });
  return [
    // Where the header is narrow it has no room for the button.
    { label: 'What if…', run: () => onTryOut(settings), testId: 'menu-what-if' },
    { label: 'Settings', run: () => wish({ type: 'openSettings' }), testId: 'settings' },
    { ...exportItem('html', 'Export as HTML…'), begins: true },
    exportItem('markdown', 'Export as Markdown…'),
    exportItem('jsonl', 'Export as JSONL…'),
    {
      label: whyEmpty === undefined ? `Fork from step ${formatNumber(step)}` : 'Fork from a step',
      run: () => wish({ type: 'forkAt', step }),
      whyNot: isRecording ? "Another agent's recording cannot be continued here." : whyEmpty,
      begins: true,
      testId: 'fork',
    },
    {
      label: 'Open a recording…',
      run: () => wish({ type: 'openRecording' }),
      begins: true,
      testId: 'open-recording',
    },
    ...(isRecording
      ? [
          {
            label: 'Follow the recording',
            run: () => wish({ type: 'followRecording', following: !source.following }),
            checked: source.following,
            testId: 'menu-follow-recording',
          },
          {
            label: 'Close the recording',
            run: () => wish({ type: 'closeRecording' }),
            testId: 'menu-close-recording',
          },
        ]
      : []),
  ];
}
