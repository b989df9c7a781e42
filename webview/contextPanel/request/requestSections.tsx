import { type ComponentChildren, Fragment, type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { countText } from '../../../src/editor/coreForPages';
import type { RequestPart, RequestSection } from '../../../src/editor/contextPanel/request/state';
import { formatNumber, formatTokens } from '../../kit/tokens';
import { LinkButton } from '../parts/linkButton';
import type { Unfolded } from '../store/keptState';
import { CACHE_END } from './words';

/**
 * Sections drawn of a long request: its beginning and the newest, since a request can have
 * thousands.
 */
const HEAD = 100;
const TAIL = 200;
const PAGE = 300;

/** Sections opened at once after a search. */
const OPENED = 20;

interface RequestSectionsProps {
  readonly sections: readonly RequestSection[];
  readonly pattern: RegExp | undefined;
  /** The section that the tokens read from the cache end in; undefined if that is not known. */
  readonly cacheEnd: string | undefined;
  readonly unfolded: Unfolded;
  readonly onUnfold: (id: string, isOpen: boolean) => void;
  readonly onBlock: (blockId: string) => void;
}

/** The fold that holds all tools, which are the same in every request. */
const TOOLS = 'tools';

/** Lists the sections of a request; in a long one, the middle only on request. */
export function RequestSections(props: RequestSectionsProps): VNode {
  const { sections: all, pattern, cacheEnd, unfolded, onUnfold, onBlock } = props;
  // A search opens the sections with hits.
  const tools = pattern === undefined ? all.filter(({ role }) => role === 'tool') : [];
  const sections = tools.length === 0 ? all : all.filter(({ role }) => role !== 'tool');
  const [head, setHead] = useState(HEAD);
  const hidden = Math.max(0, sections.length - head - TAIL);
  const isOpenAtFirst = (index: number): boolean =>
    pattern === undefined ? index === sections.length - 1 : index < OPENED;
  const card = (section: RequestSection, index: number): VNode => (
    <Fragment key={section.id}>
      <RequestSectionCard
        section={section}
        pattern={pattern}
        isOpen={unfolded[section.id] ?? isOpenAtFirst(index)}
        onUnfold={onUnfold}
        onBlock={onBlock}
      />
      {section.id === cacheEnd && (
        <p class="cache-end small" data-testid="cache-end">
          {CACHE_END}
        </p>
      )}
    </Fragment>
  );
  const tail = hidden === 0 ? sections.length : head + hidden;
  return (
    <div class="sections">
      {tools.length > 0 && (
        <Fold
          id={TOOLS}
          class="section r-tool"
          isOpen={unfolded[TOOLS] ?? false}
          onUnfold={onUnfold}
          title={countText(tools.length, 'tool')}
          tokens={tools.reduce((sum, { tokens = 0 }) => sum + tokens, 0)}
        >
          <div class="within">{tools.map((tool) => card(tool, -1))}</div>
        </Fold>
      )}
      {sections.slice(0, hidden === 0 ? tail : head).map(card)}
      {hidden > 0 && (
        <LinkButton onClick={() => setHead(head + PAGE)} data-testid="more-sections">
          Show more ({countText(hidden, 'section')} between)
        </LinkButton>
      )}
      {sections.slice(tail).map((section, index) => card(section, tail + index))}
    </div>
  );
}

interface RequestSectionCardProps {
  readonly section: RequestSection;
  readonly pattern: RegExp | undefined;
  readonly isOpen: boolean;
  readonly onUnfold: (id: string, isOpen: boolean) => void;
  readonly onBlock: (blockId: string) => void;
}

/** Folds one tool, the system prompt or one message; marks prompt-cache breakpoints. */
function RequestSectionCard(props: RequestSectionCardProps): VNode {
  const { section, pattern, isOpen, onUnfold, onBlock } = props;
  const { id, title, role, parts, tokens, blocks = [] } = section;
  const hasBreakpoint = parts.some(({ breakpoint }) => breakpoint === true);
  return (
    <Fold
      id={id}
      class={`section r-${role}`}
      isOpen={isOpen}
      onUnfold={onUnfold}
      title={<Highlighted text={title} pattern={pattern} />}
      tokens={tokens}
      hint={hasBreakpoint}
      blocks={blocks.map(({ label }) => label).join(' · ')}
    >
      {blocks.length > 0 && (
        <p class="small of-blocks">
          {blocks.map((block) => (
            <LinkButton
              key={block.id}
              hint="Shows the block in the list, and why it is there"
              onClick={() => onBlock(block.id)}
              data-testid="section-block"
            >
              {block.label}
            </LinkButton>
          ))}
        </p>
      )}
      {parts.map((part, index) => (
        <Part key={index} part={part} pattern={pattern} />
      ))}
    </Fold>
  );
}

interface FoldProps {
  readonly id: string;
  readonly class: string;
  readonly isOpen: boolean;
  readonly onUnfold: (id: string, isOpen: boolean) => void;
  readonly title: ComponentChildren;
  /** Its estimated share of the request; absent if it has none. */
  readonly tokens: number | undefined;
  /** True if a cache breakpoint is in it. */
  readonly hint?: boolean;
  /** The names of its blocks. */
  readonly blocks?: string;
  readonly children: ComponentChildren;
}

/** Folds a part of the request; its content is drawn only while it is open. */
function Fold(props: FoldProps): VNode {
  const { id, isOpen, onUnfold, title, tokens, hint = false, blocks = '', children } = props;
  return (
    <details
      class={props.class}
      open={isOpen}
      onToggle={(event) => {
        // Drawing it open or closed also fires the event.
        const { open } = event.currentTarget;
        if (open !== isOpen) onUnfold(id, open);
      }}
      data-testid="request-section"
      data-section={id}
    >
      <summary>
        <span class="name">{title}</span>
        {blocks !== '' && (
          <span class="quiet small ellipsis" title={blocks}>
            {blocks}
          </span>
        )}
        <span class="quiet small number">
          {hint && (
            <span title="The prompt cache may end after a part of this">cache breakpoint · </span>
          )}
          {tokens === undefined ? '' : `${formatTokens({ tokens, exact: false })} tokens`}
        </span>
      </summary>
      {isOpen && children}
    </details>
  );
}

function Part({
  part,
  pattern,
}: {
  readonly part: RequestPart;
  readonly pattern: RegExp | undefined;
}): VNode {
  const { title, text, breakpoint } = part;
  return (
    <div class="part" data-testid="request-part">
      <h3 class="quiet small">
        <Highlighted text={title} pattern={pattern} />
      </h3>
      <RequestPartText text={text} pattern={pattern} />
      {breakpoint === true && (
        <p class="breakpoint small" data-testid="breakpoint">
          Prompt-cache breakpoint: everything up to here can be read from the cache
        </p>
      )}
    </div>
  );
}

/** Characters drawn of a long text until the user asks for all of it. */
const SHOWN = 4_000;

interface RequestPartTextProps {
  readonly text: string;
  readonly pattern: RegExp | undefined;
}

/** Writes the text of a part; of a long one only the beginning, until the user asks for all. */
function RequestPartText({ text, pattern }: RequestPartTextProps): VNode {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? text : text.slice(0, SHOWN);
  const further =
    pattern === undefined || shown === text
      ? 0
      : countHits(text, pattern) - countHits(shown, pattern);
  return (
    <>
      <pre class="mono">
        <Highlighted text={shown} pattern={pattern} />
      </pre>
      {shown.length < text.length && (
        <LinkButton onClick={() => setAll(true)} data-testid="show-all">
          Show all ({formatNumber(text.length)} characters
          {further > 0 ? `, ${countText(further, 'hit')} further on` : ''})
        </LinkButton>
      )}
    </>
  );
}

interface HighlightedProps {
  readonly text: string;
  readonly pattern: RegExp | undefined;
}

/** Writes a text with the search hits marked. */
function Highlighted({ text, pattern }: HighlightedProps): VNode {
  return (
    <>
      {piecesOf(text, pattern).map((piece, index) =>
        piece.isHit ? <mark key={index}>{piece.text}</mark> : piece.text,
      )}
    </>
  );
}

/** The shown part of a request, with its number of search hits. */
interface RequestSearch {
  readonly sections: readonly RequestSection[];
  readonly hits: number;
}

/** A piece of a text; `isHit` for a search hit. */
interface TextPiece {
  readonly text: string;
  readonly isHit: boolean;
}

/** The pattern that finds the search text in any case; undefined if there is none. */
export function hitPattern(query: string): RegExp | undefined {
  const words = query.trim();
  return words === '' ? undefined : new RegExp(words.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
}

/**
 * Keeps the sections and parts in which `pattern` is found; a section whose title matches keeps all
 * its parts.
 */
export function searchRequest(
  sections: readonly RequestSection[],
  pattern: RegExp | undefined,
): RequestSearch {
  if (pattern === undefined) return { sections, hits: 0 };
  let hits = 0;
  const found = sections.flatMap((section) => {
    const inTitle = countHits(section.title, pattern);
    const parts = section.parts.map((part) => ({ part, hits: hitsIn(part, pattern) }));
    const inParts = parts.reduce((sum, part) => sum + part.hits, 0);
    hits += inTitle + inParts;
    if (inTitle > 0) return [section];
    if (inParts === 0) return [];
    return [{ ...section, parts: parts.flatMap((each) => (each.hits > 0 ? [each.part] : [])) }];
  });
  return { sections: found, hits };
}

/** Counts how often the pattern is in a text. */
function countHits(text: string, pattern: RegExp): number {
  let count = 0;
  for (const match of text.matchAll(pattern)) count += match.length > 0 ? 1 : 0;
  return count;
}

/** Cuts a text at its hits; the pieces make up the text. */
function piecesOf(text: string, pattern: RegExp | undefined): readonly TextPiece[] {
  if (pattern === undefined) return [{ text, isHit: false }];
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isHit: false });
    pieces.push({ text: match[0], isHit: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isHit: false });
  return pieces;
}

function hitsIn({ title, text }: RequestPart, pattern: RegExp): number {
  return countHits(title, pattern) + countHits(text, pattern);
}
