import type { VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { FindingView } from '../../../src/editor/contextPanel/findings/state';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import { Icon } from '../../kit/icon';
import { shownTabPanel, useFocusAfterRemoval } from '../parts/keyboardFocus';
import { LinkButton } from '../parts/linkButton';
import type { PanelStore } from '../store/panelStore';
import { actionWords, DISMISS, findingHint, findingWords, ofWords } from './words';

interface FindingsProps {
  readonly store: PanelStore;
  readonly context: Pick<ContextView, 'findings'>;
}

/** Shows the most expensive finding in one line, and the others on demand; nothing if there are none. */
export function Findings({ store, context }: FindingsProps): VNode | null {
  const found = useDue(context.findings);
  if (found.length === 0) return null;
  return <FindingLines store={store} found={found} />;
}

interface FindingLinesProps {
  readonly store: PanelStore;
  /** At least one. */
  readonly found: readonly FindingView[];
}

function FindingLines({ store, found }: FindingLinesProps): VNode {
  const section = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  useFocusAfterRemoval(section, { within: () => section.current, gone: shownTabPanel });
  return (
    <section
      ref={section}
      class="findings"
      aria-label="Findings"
      tabIndex={-1}
      data-testid="findings"
    >
      <Icon name="warning" />
      <ul id={id} class="lines">
        {found.slice(0, isOpen ? undefined : 1).map((finding) => (
          <Finding key={keyOf(finding)} finding={finding} store={store} />
        ))}
      </ul>
      {found.length > 1 && (
        <button
          type="button"
          class="plain quiet all"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          data-testid="all-findings"
        >
          {isOpen ? 'Show one' : ofWords(found.length)}
        </button>
      )}
    </section>
  );
}

function Finding({
  finding,
  store,
}: Pick<FindingsProps, 'store'> & { readonly finding: FindingView }): VNode {
  const { text, hint } = actionWords(finding);
  const { dismiss } = finding;
  const words = findingWords(finding);
  return (
    <li data-testid="finding" data-kind={finding.kind}>
      <span title={findingHint(finding)}>{words}</span>
      <span class="acts">
        <LinkButton
          label={`${text}: ${words}`}
          hint={hint}
          onClick={() => store.wish(finding.act)}
          data-testid="finding-act"
        >
          {text}
        </LinkButton>
        {dismiss !== undefined && (
          <LinkButton
            label={`${DISMISS.text}: ${words}`}
            hint={DISMISS.hint}
            onClick={() => store.wish(dismiss)}
            data-testid="finding-dismiss"
          >
            <Icon name="cross" />
          </LinkButton>
        )}
      </span>
    </li>
  );
}

function keyOf(finding: FindingView): string {
  switch (finding.kind) {
    case 'reread':
      return `reread ${finding.path}`;
    case 'unusedTools':
      return `tools ${finding.provider}`;
    case 'cacheExpired':
      return 'cache';
    case 'unusedResult':
      return `result ${finding.blockId}`;
    case 'neededInSessions':
      return `needed ${finding.path}`;
  }
}

/** Longest time that a timer of a browser can wait, ms. */
const LONGEST = 2 ** 31 - 1;

/** The findings that hold now; draws again when the prompt cache expires. */
function useDue(found: readonly FindingView[]): readonly FindingView[] {
  const [, setNow] = useState(0);
  const due = found.flatMap((finding) => (finding.kind === 'cacheExpired' ? finding.at : []))[0];
  useEffect(() => {
    const wait = (due ?? 0) - Date.now();
    if (due === undefined || wait <= 0 || wait > LONGEST) return undefined;
    const timer = setTimeout(() => setNow(due), wait + 1);
    return () => clearTimeout(timer);
  }, [due]);
  return found.filter((finding) => finding.kind !== 'cacheExpired' || finding.at <= Date.now());
}
