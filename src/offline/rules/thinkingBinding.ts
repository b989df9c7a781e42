import { createHash } from 'node:crypto';
import { canonicalBlock, canonicalTool, isSummary, systemBlocks, turnsOf } from '../conversation';
import type {
  CompactionBlock,
  ContentBlock,
  CountRequest,
  MessagesRequest,
  Role,
} from '../messagesApi';
import type { OfflineModel } from '../models';

/** A thinking block that the model does not see, as `input_transformations` reports it. */
export interface DroppedThinking {
  readonly type: 'thinking_dropped';
  readonly path: string;
  readonly reason: 'model_binding_mismatch' | 'prefix_binding_mismatch';
}

/** Everything that a new thinking block will be bound to. */
export interface Prefix {
  readonly system: string;
  readonly tools: string;
  readonly prefix: string;
  /** Id of the last thinking block that the model sees. */
  readonly previous: string;
}

type ThinkingCheck =
  | { readonly kind: 'refused'; readonly message: string }
  | {
      readonly kind: 'accepted';
      readonly dropped: readonly DroppedThinking[];
      readonly end: Prefix;
    };

/**
 * Hashes one more block into a prefix; thinking leaves it unchanged, so that thinking may be
 * removed.
 */
export function extendPrefix(prefix: string, role: Role, block: ContentBlock): string {
  return block.type === 'thinking' || block.type === 'redacted_thinking'
    ? prefix
    : hash(prefix, role, JSON.stringify(canonicalBlock(block)));
}

/** Starts again after a compaction block, which replaces everything before it. */
export function afterCompaction(at: Prefix, block: CompactionBlock): Prefix {
  const prefix = extendPrefix(hash(at.system, at.tools), 'assistant', block);
  return { ...at, prefix, previous: '' };
}

const invalidSignature = (path: string) => `${path}: Invalid \`signature\` in \`thinking\` block`;

const modified = (path: string) =>
  `${path}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`;

// Text: anomalyco/opencode#48637. Its last sentence for changed tools is ours.
function bound(path: string, signed: SignedThinking, at: Prefix): string {
  const what =
    signed.system !== at.system
      ? ' The `system` prompt differs from the one this block was created with.'
      : signed.tools !== at.tools
        ? ' The `tools` differ from the ones this block was created with.'
        : '';
  return `${invalidSignature(path)}. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block". That setting requires the \`thinking-binding-controls-2026-08-01\` value in the \`anthropic-beta\` header.${what}`;
}

/**
 * Checks every thinking block of a request against its signature and, if the model binds thinking,
 * against everything before it.
 *
 * The rules (platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks):
 * thinking may be removed from the start, from the end or completely. A gap, a move or a return
 * fails, as does any change before the block. A failure removes all later thinking with it. A block
 * of another model is left out without an error. Content before a compaction block may be left out.
 */
export function checkThinking(request: CountRequest, model: OfflineModel): ThinkingCheck {
  const turns = turnsOf(request.messages);
  const latest = turns.findLastIndex((turn) => turn.role === 'assistant');
  const drops = request.thinking?.block_binding?.prefix_mismatch_behavior === 'drop_block';
  const system = hash(
    'system',
    ...systemBlocks(request.system).map((b) => JSON.stringify(canonicalBlock(b))),
  );
  const tools = hash(
    'tools',
    ...(request.tools ?? []).map((t) => JSON.stringify(canonicalTool(t))),
  );
  let at: Prefix = { system, tools, prefix: hash(system, tools), previous: '' };
  let failed = false;
  const dropped: DroppedThinking[] = [];
  const latestReplies = new Map<string, { path: string; missing: number }>();

  for (const [index, turn] of turns.entries()) {
    for (const { block, path } of turn.blocks) {
      if (block.type === 'redacted_thinking') {
        return {
          kind: 'refused',
          message: `${path}: Invalid \`data\` in \`redacted_thinking\` block`,
        };
      }
      if (block.type === 'compaction' && isSummary(block)) {
        at = afterCompaction(at, block);
        continue;
      }
      if (block.type !== 'thinking') {
        at = { ...at, prefix: extendPrefix(at.prefix, turn.role, block) };
        continue;
      }
      const signed = readSignature(block.signature);
      if (signed === undefined) return { kind: 'refused', message: invalidSignature(path) };
      if (signed.thinking !== hash(block.thinking)) {
        const message = index === latest ? modified(path) : invalidSignature(path);
        return { kind: 'refused', message };
      }
      if (model.bindsThinking && signed.model !== model.id) {
        dropped.push({ type: 'thinking_dropped', path, reason: 'model_binding_mismatch' });
        continue;
      }
      const follows = at.previous === '' || signed.previous === at.previous;
      failed ||= model.bindsThinking && (signed.prefix !== at.prefix || !follows);
      if (failed) {
        if (!drops) return { kind: 'refused', message: bound(path, signed, at) };
        dropped.push({ type: 'thinking_dropped', path, reason: 'prefix_binding_mismatch' });
        continue;
      }
      at = { ...at, previous: thinkingId(block.signature) };
      if (index !== latest) continue;
      const reply = latestReplies.get(signed.reply) ?? { path, missing: signed.blocksInReply };
      latestReplies.set(signed.reply, { path: reply.path, missing: reply.missing - 1 });
    }
  }
  const cut = [...latestReplies.values()].find(({ missing }) => missing > 0);
  return cut !== undefined && !failed
    ? { kind: 'refused', message: modified(cut.path) }
    : { kind: 'accepted', dropped, end: at };
}

/** Removes thinking from a request by its positions, so that it is neither counted nor shown. */
export function withoutThinking<R extends CountRequest | MessagesRequest>(
  request: R,
  dropped: readonly { readonly path: string }[],
): R {
  if (dropped.length === 0) return request;
  const paths = new Set(dropped.map(({ path }) => path));
  return {
    ...request,
    messages: request.messages.map(({ role, content }, index) => ({
      role,
      content:
        typeof content === 'string'
          ? content
          : content.filter((_, at) => !paths.has(`messages.${index}.content.${at}`)),
    })),
  };
}

/** The strict server's signature of a thinking block. */
interface SignedThinking {
  readonly model: string;
  /** Hashes of the content before the block. */
  readonly system: string;
  readonly tools: string;
  readonly prefix: string;
  /** Id of the thinking block before it, '' for the first one in its conversation. */
  readonly previous: string;
  /** Hash that identifies the block's reply, and the number of thinking blocks in that reply. */
  readonly reply: string;
  readonly blocksInReply: number;
  readonly thinking: string;
  /** Tokens of the whole thinking, even if the answer left its text out. */
  readonly tokens: number;
}

// Not a secret: it only keeps a test from making up a signature by accident.
const salt = 'plimsoll-offline-double';

/** Hashes text to 32 hexadecimal digits. */
export function hash(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
}

/** Signs a thinking block: hashes the text and includes all other fields. */
export function signThinking(signed: SignedThinking): string {
  const payload = Buffer.from(JSON.stringify({ ...signed, thinking: hash(signed.thinking) }));
  const encoded = payload.toString('base64url');
  return `${encoded}.${hash(salt, encoded)}`;
}

/**
 * Reads a signature, whose `thinking` is the hash of the text; undefined if the strict server never
 * made it.
 */
export function readSignature(signature: string): SignedThinking | undefined {
  const [encoded = '', mac = ''] = signature.split('.');
  if (mac === '' || hash(salt, encoded) !== mac) return undefined;
  return JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')) as SignedThinking;
}

/** Names a thinking block by its signature. */
export function thinkingId(signature: string): string {
  return hash(signature);
}
