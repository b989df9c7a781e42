import * as z from 'zod/mini';
import type { ModelFailure, ModelRequest } from '../agent/model';
import { hasPart } from '../agent/leftOut';
import { FEATURES, type Feature, kindWithId, type ServerKind } from './serverKinds';

/** The abilities of a model on a server; a feature is absent while it is unknown. */
export type ServerAbilities = { readonly [F in Feature]?: boolean };

/** The features that a server lacks, in the order of `FEATURES`. */
export function lacksOf(abilities: ServerAbilities): readonly Feature[] {
  return FEATURES.filter((feature) => abilities[feature] === false);
}

/** How servers name a feature in an error. The first match counts: `tools.0.cache_control`. */
const NAMES: readonly (readonly [Exclude<Feature, 'counts'>, RegExp])[] = [
  ['cacheControl', /cache[_ ]control|prompt[_ ]cach/i],
  ['effort', /output_config|\beffort\b/i],
  ['images', /\bimages?\b|image_url|\bvision\b|multimodal|mmproj/i],
  ['documents', /\bdocuments?\b|\bpdfs?\b/i],
  ['thinking', /\bthinking\b|\breasoning\b/i],
  ['tools', /\btools?\b|tool[_-](?:use|choice|call)|function call/i],
];

/** Words of a refusal, apart from a wrong value. */
const REFUSES =
  /not (?:yet )?support|unsupported|not (?:permitted|allowed|available|enabled|implemented)|no endpoints found|unknown|unrecogni[sz]ed|unexpected|extra (?:inputs|fields)|requires --|not a (?:multimodal|vision)/i;

/** Errors about a part of a request, from a server that supports the feature. */
const ABOUT_A_PART: Readonly<Partial<Record<Feature, RegExp>>> = {
  thinking: /signature|cannot be modified|budget_tokens|block_binding/i,
  tools: /tool_use_id|tool_result|tool_use ids?\b/i,
  images: /media[_ ]type|format|too (?:large|big|many)|\bsize\b|dimension|decode|corrupt/i,
  documents: /media[_ ]type|format|too (?:large|big|many)|\bsize\b|pages|password|corrupt/i,
};

/** Refusals that llama.cpp reports as its own error; any other such error may pass. */
const REFUSED_WITH_500 = /not supported|requires --|mmproj/i;

/** The failures that may be about a feature; llama.cpp answers 500, OpenRouter 404. */
const ABOUT_REQUEST: ReadonlySet<ModelFailure['type']> = new Set([
  'invalidRequest',
  'notFound',
  'server',
]);

/** The feature of a request that a server refuses; undefined for any other failure. */
export function refusedFeature(
  request: ModelRequest,
  { type, message }: ModelFailure,
): Exclude<Feature, 'counts'> | undefined {
  // A model's name may contain the word: `qwen3-thinking`.
  const said = message.replaceAll(request.model, '');
  if (!ABOUT_REQUEST.has(type) || !REFUSES.test(said)) return undefined;
  if (type === 'server' && !REFUSED_WITH_500.test(said)) return undefined;
  const [named] = NAMES.find(([feature, words]) => has(request, feature) && words.test(said)) ?? [];
  return named !== undefined && ABOUT_A_PART[named]?.test(said) === true ? undefined : named;
}

function has(request: ModelRequest, feature: Exclude<Feature, 'counts'>): boolean {
  return feature === 'tools' ? request.tools.length > 0 : hasPart(request, feature);
}

/** Keeps the abilities of servers between sessions. */
interface AbilitiesStore {
  /** The stored value, from any version of Plimsoll; undefined if there is none. */
  read(): unknown;
  write(servers: unknown): void;
}

/** A server: the kind that the user chose, and each model's known abilities. */
interface KnownServer {
  readonly kind?: string;
  readonly models: Readonly<Record<string, ServerAbilities>>;
}

/** Most servers, and most models of a server, that are remembered; the oldest is dropped first. */
const MOST_REMEMBERED = 50;

const ABILITIES = z.partialRecord(z.enum(FEATURES), z.boolean());
const SERVERS = z.record(
  z.string(),
  z.object({ kind: z.optional(z.string()), models: z.record(z.string(), ABILITIES) }),
);

/**
 * Remembers what compatible servers can do. Servers are named by `serverName`, which holds no
 * secret.
 */
export class LearnedAbilities {
  #read: Map<string, KnownServer> | undefined;

  constructor(private readonly store?: AbilitiesStore) {}

  /** Read on first use. */
  get #servers(): Map<string, KnownServer> {
    // An unreadable record is learned again.
    const stored = () => SERVERS.safeParse(this.store?.read() ?? {}).data ?? {};
    return (this.#read ??= new Map(Object.entries(stored())));
  }

  /** The kind that the user chose for a server; undefined if the address was only typed. */
  kindOf(server: string): ServerKind | undefined {
    return kindWithId(this.#servers.get(server)?.kind);
  }

  /** The documented abilities of the server's kind; those learned of the model take precedence. */
  of(server: string, model: string): ServerAbilities {
    const documented = this.kindOf(server)?.lacks.map((feature) => [feature, false] as const);
    const learned = this.#servers.get(server)?.models[model];
    return { ...Object.fromEntries(documented ?? []), ...learned };
  }

  choose(server: string, kind: string): void {
    this.#set(server, { models: this.#servers.get(server)?.models ?? {}, kind });
  }

  learn(server: string, model: string, learned: ServerAbilities): void {
    const { models = {}, kind } = this.#servers.get(server) ?? {};
    const { [model]: before, ...others } = models;
    const newest = Object.entries(others).slice(1 - MOST_REMEMBERED);
    this.#set(server, {
      ...(kind === undefined ? {} : { kind }),
      models: { ...Object.fromEntries(newest), [model]: { ...before, ...learned } },
    });
  }

  /** Forgets the abilities of a server's models, so that they are learned again. */
  forget(server: string): void {
    const { kind } = this.#servers.get(server) ?? {};
    this.#set(server, { ...(kind === undefined ? {} : { kind }), models: {} });
  }

  #set(server: string, known: KnownServer): void {
    // Another window may have stored what it learned of other servers.
    if (this.store !== undefined) this.#read = undefined;
    this.#servers.delete(server);
    this.#servers.set(server, known);
    const oldest = this.#servers.keys().next();
    if (this.#servers.size > MOST_REMEMBERED && !oldest.done) this.#servers.delete(oldest.value);
    this.store?.write(Object.fromEntries(this.#servers));
  }
}

/**
 * Names a server by the part of its address that distinguishes servers: an address may hold a
 * password, and names are stored.
 */
export function serverName(baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl);
  return `${host}${pathname}`.replace(/(?:\/v1)?\/*$/, '');
}
