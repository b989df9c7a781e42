import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { TurnView } from '../../src/editor/conversation/state';
import type { AgentWish } from '../../src/editor/conversation/wishes';
import type { HunksView, TurnFileView } from '../../src/editor/checkpoints/state';
import { countText, visiblePath } from '../../src/editor/coreForPages';
import { DiffLines } from '../kit/untrustedText';
import { Icon } from '../kit/icon';
import { formatNumber } from '../kit/tokens';
import { useAgentView } from './agentViewStore';
import { WORDS } from './words';

/** Longest path in a line, characters; a longer one is cut in the middle. */
const LONGEST_PATH = 60;

interface TurnFilesProps {
  readonly turn: TurnView;
  readonly files: readonly TurnFileView[];
  /** The agent is idle, so files can be restored. */
  readonly isIdle: boolean;
}

/** The files that a turn changed, to keep or undo, one by one or all. */
export function TurnFiles({ turn: { turn }, files, isIdle }: TurnFilesProps): VNode {
  const isOpen = files.some(({ answer }) => answer === undefined);
  return (
    <section class="turn-files small" data-testid="turn-files" aria-label={WORDS.files.title}>
      <p class="turn-file">
        <span class="turn-files-title">{countText(files.length, 'changed file')}</span>
        {isOpen && isIdle && <Answers turn={turn} />}
      </p>
      <ul>
        {files.map((file) => (
          <FileRow key={file.path} turn={turn} file={file} isIdle={isIdle} />
        ))}
      </ul>
    </section>
  );
}

interface FileRowProps {
  readonly turn: number;
  readonly file: TurnFileView;
  readonly isIdle: boolean;
}

function FileRow({ turn, file, isIdle }: FileRowProps): VNode {
  const store = useAgentView();
  const details = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { path, how, added, removed, answer } = file;
  const shown = visiblePath(path, LONGEST_PATH);
  const nameAt = shown.lastIndexOf('/') + 1;
  return (
    <li data-testid="turn-file" data-path={path} data-answer={answer ?? 'open'}>
      <div class="turn-file">
        <button
          type="button"
          class="plain turn-file-name"
          aria-expanded={isOpen}
          aria-controls={details}
          data-testid="turn-file-open"
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name="chevron" />
          <span class="mono turn-file-path" title={shown}>
            <span>{shown.slice(0, nameAt)}</span>
            <span>{shown.slice(nameAt)}</span>
          </span>
        </button>
        {how !== 'changed' && <span class="quiet">{WORDS.files[how]}</span>}
        {added !== undefined && how !== 'gone' && (
          <span class="number added">+{formatNumber(added)}</span>
        )}
        {removed !== undefined && how !== 'made' && (
          <span class="number removed">−{formatNumber(removed)}</span>
        )}
        <button
          type="button"
          class="plain link"
          data-testid="turn-file-diff"
          aria-label={WORDS.openDiffOf(shown)}
          onClick={() => store.wish({ type: 'openTurnDiff', turn, path })}
        >
          {WORDS.files.diff}
        </button>
        {answer === undefined ? (
          isIdle && <Answers turn={turn} path={path} />
        ) : (
          <span class="quiet">{WORDS.files[answer]}</span>
        )}
      </div>
      <div id={details}>
        {isOpen && (
          <Hunks
            key={`${added} ${removed} ${answer}`}
            turn={turn}
            path={path}
            mayAnswer={isIdle && answer === undefined}
          />
        )}
      </div>
    </li>
  );
}

/**
 * Keep and Undo for one file of a turn or for all; asks before it undoes changes of someone else.
 */
function Answers({ turn, path }: { readonly turn: number; readonly path?: string }): VNode {
  const store = useAgentView();
  const [left, setLeft] = useState<readonly string[]>([]);
  const which = path === undefined ? { turn } : { turn, path };
  const name =
    path === undefined ? WORDS.files.allChanges : WORDS.files.changesOf(visiblePath(path));
  const undo = (files: 'unchanged' | 'all'): void => {
    setLeft([]);
    store.wish({ type: 'undoFiles', ...which, files }, { answered: setLeft });
  };
  if (left.length > 0) {
    return (
      <span role="alert" data-testid="turn-file-left">
        {left.map((one) => visiblePath(one, LONGEST_PATH)).join(', ')}: {WORDS.files.changedSince}{' '}
        <button
          type="button"
          class="plain link"
          data-testid="turn-file-overwrite"
          onClick={() => undo('all')}
        >
          {WORDS.files.undoAnyway}
        </button>{' '}
        <button type="button" class="plain link" onClick={() => setLeft([])}>
          {WORDS.files.cancel}
        </button>
      </span>
    );
  }
  return (
    <KeepOrUndo
      of={path === undefined ? 'turn-files' : 'turn-file'}
      name={name}
      keep={() => store.wish({ type: 'keepFiles', ...which })}
      undo={() => undo('unchanged')}
    />
  );
}

interface KeepOrUndoProps {
  readonly of: 'turn-files' | 'turn-file' | 'hunk';
  /** The changes, as the buttons' labels name them. */
  readonly name: string;
  readonly keep: () => void;
  readonly undo: () => void;
}

function KeepOrUndo({ of, name, keep, undo }: KeepOrUndoProps): VNode {
  const { files } = WORDS;
  const isAll = of === 'turn-files';
  return (
    <span class="turn-file-answers">
      <button
        type="button"
        class="plain link"
        data-testid={`${of}-keep`}
        aria-label={files.keepNamed(name)}
        onClick={keep}
      >
        {isAll ? files.keepAll : files.keep}
      </button>
      <button
        type="button"
        class="plain link"
        data-testid={`${of}-undo`}
        aria-label={files.undoNamed(name)}
        onClick={undo}
      >
        {isAll ? files.undoAll : files.undo}
      </button>
    </span>
  );
}

interface HunksProps {
  readonly turn: number;
  readonly path: string;
  readonly mayAnswer: boolean;
}

/** A turn's changes of a file, hunk by hunk, each with Keep and Undo. */
function Hunks({ turn, path, mayAnswer }: HunksProps): VNode {
  const store = useAgentView();
  const [view, setView] = useState<HunksView | undefined>(undefined);
  // An answer changes the key, so this fetches again.
  useEffect(() => store.wish({ type: 'fetchHunks', turn, path }, { answered: setView }), []);
  if (view === undefined) return <p class="quiet">{WORDS.loading}</p>;
  const { before, after, hunks, problem } = view;
  if (problem !== undefined) return <p class="quiet">{problem}</p>;
  const answer = (type: 'keepHunk' | 'undoHunk', hunk: number): void => {
    const wish: AgentWish = { type, turn, path, before, after, hunk };
    store.wish(wish);
  };
  return (
    <>
      {hunks.map(({ line, lines }, hunk) => (
        <section key={hunk} class="hunk" data-testid="hunk" aria-label={WORDS.files.fromLine(line)}>
          <p class="turn-file">
            <span class="quiet">{WORDS.files.line(line)}</span>
            {mayAnswer && (
              <KeepOrUndo
                of="hunk"
                name={WORDS.files.changeFrom(line)}
                keep={() => answer('keepHunk', hunk)}
                undo={() => answer('undoHunk', hunk)}
              />
            )}
          </p>
          <DiffLines lines={lines} />
        </section>
      ))}
    </>
  );
}
