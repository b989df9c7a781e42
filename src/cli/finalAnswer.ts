import type { SessionEvent } from '../contextWindow/event';

/** The model's last words; where a reply was cut off and went on, all of it as one text. */
export function finalAnswer(events: readonly SessionEvent[]): string {
  let answer = '';
  let goesOn = false;
  for (const event of events) {
    if (event.type === 'noteAdded' && event.source.from === 'goOn') goesOn = true;
    if (event.type !== 'replyReceived') continue;
    const said = event.parts
      .flatMap((part) => (part.type === 'text' ? [part.text] : []))
      .join('\n');
    answer = goesOn ? `${answer}${said}` : said;
    goesOn = false;
  }
  return answer;
}
