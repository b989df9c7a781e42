/** How the sentences of one language state a rule. All patterns apply to a sentence in lower case. */
export interface RuleLanguage {
  /** In English, as the panel shows it. */
  readonly name: string;
  /** Its most frequent words, by which it is recognised. */
  readonly words: ReadonlySet<string>;
  /** A sentence that matches one of them is a rule. */
  readonly rules: readonly RegExp[];
  /** A sentence of two words is a rule only if it matches this. */
  readonly shortRule: RegExp;
  /** Unless it matches one of these. */
  readonly exceptions: readonly RegExp[];
}

/** Words before the verb of a request, which change nothing about it. */
const OPENER =
  '(?:(?:and|but|also|so|then|please|plus|just|ok|okay|yes|yeah|no|important|very important|note|notes|' +
  'remember|reminder|warning|rules?|constraints?|again|btw|however|otherwise|in general|generally|' +
  'by default|for the record|one more thing|ps|p\\.s\\.)\\b[\\s,:;!.–—-]*)*';

/** The beginning of a sentence, or of its main clause after a condition. */
const START = `^${OPENER}(?:(?:if|when|whenever|unless|until|while|before|after|for|in|on|with|from|to|as|since|once)\\b[^,:]*[,:]\\s*)?${OPENER}`;

/** The beginning of a later clause of the sentence. */
const CLAUSE =
  '(?:[,;:(–—]\\s*|\\s-{1,2}\\s*|\\s)(?:and|but|so|or|then|please)\\s+|[,;:(–—]\\s*|\\s-{1,2}\\s+';

/** Verbs that developers use to ask for work. */
const VERBS = [
  'accept access add adjust allow alter answer apply ask assume attach avoid break build bump bypass cache call change',
  'check clean close comment commit compile configure connect continue convert copy cover create declare define delete',
  'depend deploy disable discard do document download drop duplicate edit emit enable ensure escape execute expose extend',
  'fail fetch fix follow force format generate get give go guess handle hardcode hard-code hide ignore implement import',
  'include increase inline insert install introduce invent keep leave let link list load log look make merge mention',
  'migrate mix mock modify move mutate name nest notify open output override overwrite parse pass paste patch pin post',
  'prefix print proceed publish pull push put quote raise read rebase refactor reference refer reformat rely remove rename reorder',
  'repeat replace reply report request reset respond restart restore return reuse revert rewrite run save scan search send',
  'set share show skip sort split squash start stage stash stick stop store stub suggest summarise summarize suppress',
  'take tell test throw touch track translate treat trust try turn update upgrade upload use validate verify wait warn work wrap write',
]
  .join(' ')
  .replaceAll(' ', '|');

/** What something is to be kept as: "keep the API stable". */
const KEPT =
  '(?:unchanged|untouched|intact|stable|consistent|compatible|compatibility|minimal|small|short|simple|in sync|up to date|the same|as (?:it is|they are|is))';

/** What developers forbid with one word before it: "No emojis." "No results." reports something. */
const UNWANTED =
  '(?:emojis?|comments|docstrings|abbreviations|semicolons|tabs|exclamation marks|bullet points|jargon|markdown|code blocks|' +
  'preambles?|apologies|explanations|(?:console |debug )?logs|(?:console |debug )?logging|print statements|mocks|stubs|' +
  'placeholders|hacks|workarounds|shortcuts|globals|classes|enums|any types|dependencies|libraries|frameworks|packages|' +
  'refactors|refactoring|renames|force[- ]push(?:es)?|commits|pushes)';

/** Not the third person: "always fails" reports something. */
const ANY_VERB = '(?!\\w*(?:[^s]s|ed)\\b)[a-z][a-z-]+';

const english: RuleLanguage = {
  name: 'English',
  words: new Set(
    (
      'the of and to in a is that for it with as on be at by this have from or had not are but what all were when we ' +
      'there can an your which their said if do will each about how up out them then she many some so these would ' +
      'other into has more her two like him see time could no make than first been its who now people my made over ' +
      'did down only way find use may long little very after words called just where most know you i me they he his ' +
      'was our us please should must never always need want add fix run test tests file files code also any yes ' +
      "don't let's it's i'm isn't doesn't before because why still instead"
    ).split(' '),
  ),
  rules: [
    // Never commit. If a test fails, do not delete it. Always run the tests.
    new RegExp(`${START}(?:never|always) ${ANY_VERB}`),
    new RegExp(`${START}(?:do not|don['’]?t|dont) (?:ever )?${ANY_VERB}`),
    new RegExp(`${START}only (?:ever )?(?:${VERBS})\\b`),
    new RegExp(`${START}(?:${VERBS}) only\\b`),
    new RegExp(
      `${START}(?:${VERBS})\\b[^.]*\\bonly (?:in|if|when|the|after|from|for|to|on|with|inside|within|via|through)\\b`,
    ),
    new RegExp(
      `${START}keep (?:the|your|all|any|every|each|this|that|these|those|it|its|our|my|to|in mind|both|code|tests|commits|changes|files|functions|comments|public|existing|everything)\\b`,
    ),
    // Keep src/api.ts unchanged. Fix it and keep the API stable.
    new RegExp(`(?:${START}|${CLAUSE})keep [^,;]*\\b${KEPT}\\b`),
    // Only src/ may change. Write all comments in English only. Make sure the tests always pass.
    new RegExp(`${START}only [^,;]+ (?:may|should|shall|is allowed to|are allowed to) [a-z]`),
    new RegExp(
      `${START}(?:write|use|answer|respond|reply|commit|name|comment|document)\\b.* only[.!]?$`,
    ),
    new RegExp(`${START}(?:make sure|ensure|be sure|take care)\\b[^,;]*\\b(?:always|never)\\b`),
    new RegExp(
      `\\b(?:important|crucial|essential|vital|critical) (?:that|to me that) (?:you|we|it|they) (?:never|always|only|do not|don['’]?t)\\b`,
    ),
    /\byou (?:cannot|can['’]?t) (?:change|modify|touch|edit|alter|delete|remove|rename|break|commit|push)\b/,
    // Ask before deleting anything. Use pnpm, not npm.
    new RegExp(`${START}(?:ask|check with)\\b[^,;]* before [a-z]+ing\\b`),
    new RegExp(`${START}use [^,;.]+, not [a-z]`),
    new RegExp(`${START}(?:avoid|refrain from|stick to|stay (?:in|within|away)) [a-z]`),
    new RegExp(
      `${START}(?:use|prefer|write|call|import|run)\\b[^.]*\\b(?:instead of|rather than|over)\\b`,
    ),
    new RegExp(`${START}prefer (?!not to say)[a-z]`),
    new RegExp(
      `${START}no (?:more|new|other|extra|additional|further|external|third-party|unnecessary|hard-?coded|magic|breaking|default|inline)\\b`,
    ),
    new RegExp(
      `${START}no (?:[a-z-]+ )?${UNWANTED}(?: (?:in|on|to|from) [^,;]+)?(?:,? please)?[.!]*$`,
    ),
    new RegExp(`${START}under no circumstances\\b`),
    // Fix it, but do not touch the tests.
    new RegExp(`(?:${CLAUSE})(?:never|always|only|do not|don['’]?t) (?:ever )?(?:${VERBS})\\b`),
    new RegExp(
      `${START}(?:${VERBS})\\b.* without (?:asking|breaking|changing|touching|adding|modifying|using|removing)\\b`,
    ),
    // You must not. The parser must. We never commit generated files.
    /\bmust(?:n['’]?t)?\b/,
    /\b(?:you|we|code|tests?|commits?|changes?|files?|functions?|names?|messages?|comments?|everything|nothing|it|they) (?:should|shall) (?:never|always|only|not ever)\b|\b(?:you|we) (?:may|can) (?:never|only)\b/,
    /\b(?:you|we) (?:should not|shouldn['’]?t|may not|shall not)\b/,
    new RegExp(
      `\\bwe (?:never|always|only) (?!had|have|been|got|were|did|saw|made|ran|see|get|know)${ANY_VERB}`,
    ),
    new RegExp(
      `\\bi (?:want|need|expect|['’]d like|would like) (?:you|it|this|that|everything|all [a-z]+) to (?:never|always|only|not|keep)\\b`,
    ),
    /\bi (?:do not|don['’]?t|never) want (?:you|any|to see|new|it|this|us)\b/,
    /\b(?:is|are) (?:not allowed|forbidden|off[- ]limits|prohibited)\b/,
    // From now on, answer in English. Before every commit, run the linter.
    new RegExp(
      `(?:^${OPENER}|[,;]\\s*)(?:from now on|from here on|from this point on|going forward|in the future|for the rest of (?:this|the) (?:session|conversation))\\b`,
    ),
    /\b(?:from now on|going forward|from here on)[.!]?$/,
    new RegExp(`^${OPENER}(?:before|after) (?:every|each|any)\\b`),
    new RegExp(
      `${START}(?:${VERBS})\\b(?!['’])[^.]*\\b(?:before|after|on) (?:every|each|any) (?:change|commit|edit|step|push|pr|pull request|file|task|turn|run|release|merge|time)\\b`,
    ),
    new RegExp(
      `^${OPENER}(?:every time|each time|whenever) (?:you|we|a|an|the|something)\\b[^,]*,`,
    ),
  ],
  // Never commit. No emojis.
  shortRule: new RegExp(`^(?:(?:never|don['’]?t) (?:${VERBS})|no ${UNWANTED})[.!]*$`),
  exceptions: [
    // Questions without a question mark.
    /^(?:(?:and|but|so|ok|also|hmm|wait)[\s,]+)*(?:why|how|what|where|who|whose|which|whether|is|are|was|were|does|did|can|could|would|will|should|shall|may|has|have|am|isn['’]t|aren['’]t|doesn['’]t|didn['’]t|shouldn['’]t|wouldn['’]t|can['’]t|do (?:i|you|we|they)|must (?:i|you|we|they|he|she|it|the|this|that|these|those|there|a|an|all|every|each)|don['’]t (?:i|you|we|they))\b(?! circumstances)/,
    /\b(?:wondering|curious|not sure|unsure|no idea|i guess|i assume)\b/,
    // Guesses and reports: it must have been a typo.
    /\bmust (?:have (?:been|gone|broken|forgotten|got|had|[a-z]+ed)\b|be (?:a |an |the |some|why|how|because|wrong|missing|broken|related|due|caused|coming|something|failing|getting|happening|in there|hard|nice|me\b))/,
    /\b(?:i|he|she) must\b/,
    /\b(?:a|the) must\b|\bmust-haves?\b/,
    /\b(?:currently|right now|at the moment|today),? [^,]*\b(?:must|only)\b/,
    // Idioms, and permission: don't worry about the tests, you don't need to.
    /^[a-z,\s]*\b(?:do not|don['’]?t|dont) (?:worry|know|think|see|remember|understand|have|need|want to|get|mind|believe|care|like|feel|hesitate|bother|forget|even|really|you|we|i|panic|recall|exist|matter|work)\b(?! to (?:see|add))/,
    /^[a-z,\s]*\b(?:never|always) (?:mind|seen|worked|been|had|got|was|were|knew|ran|did|going|just)\b/,
    /^[a-z,\s]*\bkeep (?:going|working|trying|up|it up|on|at it|it coming|me posted)\b/,
    // For one moment only.
    /\b(?:yet|for now|right now|for the moment|at the moment|this time|just this once|for today|in this (?:step|turn|reply|message|commit))\b/,
    /\b(?:but|and) just\b/,
    /\bif (?:you|we) (?:do not|don['’]?t) [^,]*$/,
    // A key with its value, an opinion.
    /^(?:always|never) [a-z-]+:/,
    /\bi(?: still| also)? (?:think|believe|feel|suppose|wonder|noticed)\b/,
  ],
};

export const RULE_LANGUAGES: readonly RuleLanguage[] = [english];

/**
 * Frequent words of languages without patterns, in Latin letters, that are no English words: German,
 * French, Spanish, Portuguese, Italian, Dutch, the Scandinavian languages, Polish, Czech, Turkish.
 */
export const OTHER_LANGUAGES: ReadonlySet<string> = new Set(
  (
    'der und nicht ist ich wir eine einen mit auf für dass auch sich bitte wird werden keine sind wenn ' +
    'les des une pas avec dans qui sur nous vous mais sont ' +
    'los las una para está como pero esto también ' +
    'não você isso uma mas ' +
    'che della sono gli nel anche questo ' +
    'het een niet voor zijn wordt deze ook ' +
    'och att inte som det ikke skal jeg ' +
    'nie jest się że jak ' +
    'jsem jako není protože ' +
    'için değil ile olarak'
  ).split(' '),
);
