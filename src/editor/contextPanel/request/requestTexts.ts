import { capturedBody } from '../../../recordings/captures/capturedBody';
import type { Services } from '../../services';
import { nameOf } from '../../session/inspected';
import type { Inspection } from '../inspection';
import { capturedText, comparedText } from './capturedView';
import { requestText } from './derive';
import type { RequestAt } from './requestAt';
import type { RequestName, RequestsShown, ShownForm } from './requestDocuments';

/** The texts of the requests of the session or recording that the panel shows. */
export class RequestTexts implements RequestsShown {
  constructor(
    private readonly inspection: Inspection,
    private readonly services: Pick<Services, 'sentBody' | 'access'>,
  ) {}

  get session(): string {
    return nameOf(this.inspection.inspected);
  }

  isCaptured(step: number | 'next'): boolean {
    return this.inspection.capturedAt(step) !== undefined;
  }

  async textOf(name: RequestName, form: ShownForm): Promise<string | undefined> {
    if (typeof name === 'object') {
      const exchange = this.inspection.exchangeAt(name.summaryId);
      if (exchange === undefined || name.side === 'answered') return exchange?.answered;
      return form === 'raw' ? this.#raw(exchange.asked) : requestText(exchange.asked);
    }
    const call = this.inspection.capturedAt(name);
    const read = call && (await capturedBody(call));
    if (call !== undefined && read?.ok === true) {
      if (form === 'raw') return `${JSON.stringify(read.body.raw, null, 2)}\n`;
      return form === 'compared' ? comparedText(call, read.body) : capturedText(call, read.body);
    }
    const at = this.inspection.requestAt(name);
    if (at === undefined) return undefined;
    const text = form === 'raw' ? this.#raw(at) : requestText(at);
    if (read === undefined || read.ok) return text;
    return `Not exact: ${read.message} This is Plimsoll's reconstruction:\n\n${text}`;
  }

  #raw({ request }: Pick<RequestAt, 'request'>): string {
    const { sentBody, access } = this.services;
    const isOwn = this.inspection.inspected.source.type === 'session';
    const sent = isOwn ? (access.compatible?.sent(request) ?? request) : request;
    return `${JSON.stringify(sentBody(sent), null, 2)}\n`;
  }
}
