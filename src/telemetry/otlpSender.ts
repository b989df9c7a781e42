import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Counter,
  type Histogram,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  type IdGenerator,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type MetricName, METRICS, type Signal, type SpanSignal } from './signal';

/** Where signals go, and how the user hears of problems. */
export interface OtlpOptions {
  /** The address of an OTLP receiver, without a slash at the end; `/v1/traces` is added. */
  readonly endpoint: string;
  readonly version: string;
  /**
   * Called once, with why signals were not received; they are not kept for later. `receiver` is its address
   * without a user and password.
   */
  problem(why: string, receiver: string): void;
}

/** Spans that wait at most; a long recording has thousands. */
const MOST_WAITING = 50_000;
const BATCH = 512;
const SPANS_EVERY_MS = 2_000;
const METRICS_EVERY_MS = 30_000;
/** Longest attempt to deliver one batch, retries included; ms. */
const DELIVERY_MS = 4_000;

/** The ids of a signal: the same session gives the same ids, so that nothing is counted twice. */
class GivenIds implements IdGenerator {
  next: Pick<SpanSignal, 'traceId' | 'spanId'> = { traceId: '', spanId: '' };

  generateTraceId(): string {
    return this.next.traceId;
  }

  generateSpanId(): string {
    return this.next.spanId;
  }
}

/** Sends signals to an OTLP receiver over HTTP: in batches, in the background. */
export class OtlpSender {
  readonly #ids = new GivenIds();
  readonly #traces: TracerProvider;
  readonly #metrics: MeterProvider;
  readonly #tracer: Tracer;
  readonly #instruments = new Map<MetricName, Counter | Histogram>();
  #hasProblem = false;

  constructor(private readonly options: OtlpOptions) {
    const { endpoint, version } = options;
    const resource = resourceFromAttributes({
      'service.name': 'plimsoll',
      'service.version': version,
      'service.instance.id': randomUUID(),
    });
    const delivery = { timeoutMillis: DELIVERY_MS };
    const spans = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, ...delivery });
    this.#traces = new TracerProvider({
      resource,
      idGenerator: this.#ids,
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: this.#watched(spans),
          maxQueueSize: MOST_WAITING,
          maxExportBatchSize: BATCH,
          scheduledDelayMillis: SPANS_EVERY_MS,
          exportTimeoutMillis: DELIVERY_MS,
        }),
      ],
    });
    const values = new OTLPMetricExporter({ url: `${endpoint}/v1/metrics`, ...delivery });
    this.#metrics = new MeterProvider({
      resource,
      readers: [
        new PeriodicExportingMetricReader({
          exporter: this.#watched(values),
          exportIntervalMillis: METRICS_EVERY_MS,
          exportTimeoutMillis: DELIVERY_MS,
        }),
      ],
    });
    this.#tracer = this.#traces.getTracer('plimsoll', version);
  }

  /** Takes signals; they are sent later. */
  send(signals: readonly Signal[]): void {
    for (const signal of signals) {
      if (signal.type === 'span') this.#span(signal);
      else this.#measure(signal.name).record(signal.value, signal.attributes);
    }
  }

  /** Sends what waits and ends, after `withinMs` in any case. */
  async stop(withinMs: number): Promise<void> {
    const ended = Promise.allSettled([this.#traces.shutdown(), this.#metrics.shutdown()]);
    const wait = new AbortController();
    const late = sleep(withinMs, 'late' as const, { signal: wait.signal }).catch(() => undefined);
    if ((await Promise.race([ended, late])) === 'late')
      this.#tell('not everything was sent in time');
    wait.abort();
  }

  #span({ name, kind, traceId, spanId, parentId, start, end, attributes }: SpanSignal): void {
    this.#ids.next = { traceId, spanId };
    const traceFlags = TraceFlags.SAMPLED;
    const within =
      parentId === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags });
    const span = this.#tracer.startSpan(
      name,
      {
        kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
        startTime: start,
        attributes,
      },
      within,
    );
    if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(end);
  }

  #measure(name: MetricName): Pick<Histogram, 'record'> {
    const { unit, ...more } = METRICS[name];
    const limits: readonly number[] | undefined = 'limits' in more ? more.limits : undefined;
    const meter = this.#metrics.getMeter('plimsoll', this.options.version);
    const instrument =
      this.#instruments.get(name) ??
      (limits === undefined
        ? meter.createCounter(name, { unit })
        : meter.createHistogram(name, {
            unit,
            advice: { explicitBucketBoundaries: [...limits] },
          }));
    this.#instruments.set(name, instrument);
    return 'record' in instrument
      ? instrument
      : { record: (value, attributes) => instrument.add(value, attributes) };
  }

  /** Tells the user of an exporter's first failure; otherwise only OpenTelemetry's own log has it. */
  #watched<E extends SpanExporter | PushMetricExporter>(exporter: E): E {
    const send = exporter.export.bind(exporter) as (
      batch: unknown,
      done: (result: { readonly code: number; readonly error?: Error }) => void,
    ) => void;
    exporter.export = (batch: unknown, done: Parameters<typeof send>[1]) =>
      send(batch, (result) => {
        if (result.code !== 0) this.#tell(result.error?.message ?? 'no reason was given');
        done(result);
      });
    return exporter;
  }

  #tell(why: string): void {
    if (this.#hasProblem) return;
    this.#hasProblem = true;
    this.options.problem(why, new URL(this.options.endpoint).origin);
  }
}
