import type { Block, StepBlock } from './block';
import { blocksInWindow, type ContextWindow } from './contextWindow';
import type { SalienceFactors } from './plan';

const WEIGHTS = { recency: 0.4, reuse: 0.35, kind: 0.25 } as const;

const KIND_OF_TOOL: Readonly<Record<string, number>> = {
  edit_file: 1,
  create_file: 1,
  update_scratchpad: 0.3,
  run_command: 0.6,
  read_file: 0.5,
  recall: 0.4,
  search_text: 0.3,
  list_files: 0.1,
};

/** Works out the salience of every block in the window, in window order. */
export function salienceOf(window: ContextWindow): ReadonlyMap<Block['id'], SalienceFactors> {
  const blocks = blocksInWindow(window);
  const pathsOf = new Map(blocks.map((block) => [block.id, pathsNamedBy(block)]));
  const result = new Map<Block['id'], SalienceFactors>();
  const namedLater = new Set<string>();
  for (const [index, block] of [...blocks.entries()].reverse()) {
    const paths = pathsOf.get(block.id) ?? [];
    const recency = blocks.length < 2 ? 1 : index / (blocks.length - 1);
    const reuse =
      paths.length === 0 ? 0 : paths.filter((path) => namedLater.has(path)).length / paths.length;
    const kind = kindOf(block);
    const salience = WEIGHTS.recency * recency + WEIGHTS.reuse * reuse + WEIGHTS.kind * kind;
    result.set(block.id, { salience, recency, reuse, kind });
    for (const path of paths) namedLater.add(path);
  }
  return result;
}

/** The workspace paths a step's tools were called with, each once. */
export function pathsNamedBy(block: Block): readonly string[] {
  if (block.kind !== 'step') return [];
  const paths = block.pairs.flatMap(({ use }) =>
    typeof use.input['path'] === 'string' ? [use.input['path']] : [],
  );
  return [...new Set(paths)];
}

function kindOf(block: Block): number {
  switch (block.kind) {
    case 'anchor':
    case 'summary':
      return 1;
    case 'prompt':
      return 0.8;
    case 'step':
      return kindOfStep(block);
  }
}

function kindOfStep(step: StepBlock): number {
  if (step.pairs.length === 0) return 0.4;
  return Math.max(
    ...step.pairs.map(({ use, result }) =>
      Math.min(1, (KIND_OF_TOOL[use.name] ?? 0.4) + (result?.isError === true ? 0.2 : 0)),
    ),
  );
}
