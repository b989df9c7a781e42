const WORDS: ReadonlyMap<string, string> = new Map([
  ['highWatermark', 'high watermark'],
  ['overflow', 'request was too long'],
  ['manual', 'on request'],
  ['cap', 'too many turns or messages'],
  ['byHand', 'by you'],
  ['recorded', 'the recorded agent made room'],
]);

/** Says why a pass ran; a trigger we do not know speaks for itself. */
export function triggerWords(trigger: string): string {
  return WORDS.get(trigger) ?? trigger;
}
