import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { countText } from '../../../src/editor/coreForPages';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { ExcerptsView, ShownRegionView } from '../../../src/editor/contextPanel/files/state';
import { Waiting } from '../../kit/waiting';
import { formatNumber } from '../../kit/tokens';
import { LinkButton } from '../parts/linkButton';
import { useMore } from '../parts/useMore';
import type { PanelStore, SendWish } from '../store/panelStore';
import { ChooseButtons } from './fileChoice';
import { OMITS_UNLIKELY, rangeWords } from './words';

/** Number of regions drawn before "more". */
const PAGE = 50;

interface ExcerptsProps {
  readonly shown: ExcerptsView;
  /** Why nothing can be changed; absent if it can. */
  readonly whyReadOnly: string | undefined;
  readonly wish: SendWish;
}

/** Lists the excerpts of a block with the reason for each, then the files that it does not show. */
export function ShownExcerpts({ shown: view, whyReadOnly, wish }: ExcerptsProps): VNode {
  const { regions, hidden, omitsUnlikely } = view;
  const { shown, rest, showMore } = useMore(regions.length, PAGE);
  return (
    <div class="shown-files" data-testid="shown-files">
      <ul class="regions">
        {regions.slice(0, shown).map((region) => (
          <Region
            key={`${region.path} ${region.range?.first ?? region.why}`}
            region={region}
            whyReadOnly={whyReadOnly}
            wish={wish}
          />
        ))}
      </ul>
      {rest > 0 && (
        <LinkButton onClick={showMore} data-testid="more-regions">
          Show more ({formatNumber(rest)} left)
        </LinkButton>
      )}
      {hidden.length > 0 && (
        <details class="hidden-files" data-testid="hidden-files">
          <summary>Not shown: {countText(hidden.length, 'file')} worked with before</summary>
          <ul class="small">
            {hidden.map(({ path, what }) => (
              <li key={path}>
                <LinkButton
                  hint="Opens the file in an editor"
                  onClick={() => wish({ type: 'openFile', path })}
                >
                  {path}
                </LinkButton>{' '}
                <span class="quiet">{what}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {omitsUnlikely === true && (
        <p class="quiet small" data-testid="omits-unlikely">
          {OMITS_UNLIKELY}
        </p>
      )}
    </div>
  );
}

interface RegionProps extends Pick<ExcerptsProps, 'whyReadOnly' | 'wish'> {
  readonly region: ShownRegionView;
}

function Region({ region, whyReadOnly, wish }: RegionProps): VNode {
  const { path, range, why, choice } = region;
  const where = rangeWords(region);
  return (
    <li class="region" data-testid="region" data-path={path} data-first={range?.first}>
      <p class="region-head">
        <LinkButton
          class="ellipsis"
          label={`Open ${path}, ${where}`}
          hint="Opens the file in an editor, at these lines"
          onClick={() =>
            wish({ type: 'openFile', path, ...(range === undefined ? {} : { line: range.first }) })
          }
          data-testid="open-region"
        >
          {path}
        </LinkButton>
        <span class="number">{where}</span>
      </p>
      <p class="quiet small">{why}</p>
      {range !== undefined && (
        <ChooseButtons path={path} lines={range} choice={choice} why={whyReadOnly} wish={wish} />
      )}
    </li>
  );
}

interface ShownByBlockProps {
  readonly store: PanelStore;
  readonly context: Pick<ContextView, 'session' | 'revision' | 'whyReadOnly'>;
  readonly blockId: string;
}

/** Fetches the excerpts of a block and lists them. */
export function ShownByBlock({ store, context, blockId }: ShownByBlockProps): VNode {
  const { session, revision, whyReadOnly } = context;
  const [shown, setShown] = useState<ExcerptsView | undefined>(undefined);
  const [refusal, setRefusal] = useState('');
  useEffect(
    () =>
      store.wish({ type: 'fetchExcerpts', blockId }, { answered: setShown, refused: setRefusal }),
    [session, revision, blockId],
  );
  if (refusal !== '') return <p class="quiet small">{refusal}</p>;
  // Still of another block, until the answer comes.
  if (shown?.id !== blockId) return <Waiting class="quiet">Fetching the excerpts…</Waiting>;
  return <ShownExcerpts shown={shown} whyReadOnly={whyReadOnly} wish={store.wish} />;
}
