import { withoutParts } from '../agent/leftOut';
import type { ModelRequest } from '../agent/model';
import { LEFT_OUT } from '../contextWindow/event';
import { type LearnedAbilities, lacksOf, type ServerAbilities } from './serverAbilities';
import { FEATURE_NAMES, FEATURES, type Feature, OTHER_KIND, type ServerKind } from './serverKinds';

/** A server that is not Anthropic's, with the known abilities of its models. */
export class CompatibleServer {
  constructor(
    /** As `serverName` names it. */
    readonly server: string,
    private readonly learned: LearnedAbilities,
  ) {}

  /** The kind that the user chose; undefined if the address was only typed. */
  get kind(): ServerKind | undefined {
    return this.learned.kindOf(this.server);
  }

  /** What the server is called in a sentence. */
  get name(): string {
    const { kind } = this;
    return kind === undefined || kind.id === OTHER_KIND
      ? this.server
      : `${kind.name} (${this.server})`;
  }

  abilitiesFor(model: string): ServerAbilities {
    return this.learned.of(this.server, model);
  }

  learn(model: string, learned: ServerAbilities): void {
    const known = this.abilitiesFor(model);
    const isNew = FEATURES.some((name) => name in learned && learned[name] !== known[name]);
    if (isNew) this.learned.learn(this.server, model, learned);
  }

  /** Forgets the abilities, so that they are learned again. */
  forget(): void {
    this.learned.forget(this.server);
  }

  /** The request as this server gets it. Tools stay: without them the agent cannot work. */
  sent(request: ModelRequest): ModelRequest {
    const abilities = this.abilitiesFor(request.model);
    return withoutParts(
      request,
      LEFT_OUT.filter((part) => abilities[part] === false),
    );
  }
}

/** What to say about a model on a compatible server, in parts of a line. */
export function abilityNotes(abilities: ServerAbilities): readonly string[] {
  const { counts } = abilities;
  const count =
    counts === undefined
      ? 'token counts not checked yet'
      : counts
        ? 'token counts agree with its usage'
        : 'no token counts, so numbers are estimates (≈)';
  const lacks = lacksOf(abilities).filter((feature) => feature !== 'counts');
  return [count, ...lacks.map(lackText)];
}

function lackText(feature: Feature): string {
  return feature === 'tools'
    ? 'no tools, so the agent cannot work'
    : `no ${FEATURE_NAMES[feature]}`;
}
