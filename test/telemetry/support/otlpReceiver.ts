import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface AnyValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly AnyValue[] };
}
interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number };
  readonly attributes: readonly KeyValue[];
}

interface Point {
  readonly attributes: readonly KeyValue[];
  readonly asDouble?: number;
  readonly asInt?: number;
  readonly sum?: number;
  readonly count?: number;
  readonly explicitBounds?: readonly number[];
}

export interface ReceivedMetric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly isMonotonic: boolean; readonly dataPoints: readonly Point[] };
  readonly histogram?: { readonly dataPoints: readonly Point[] };
}

/** The type of an attribute as it was received. */
export function typeOf({ value }: KeyValue): string {
  const [kind = ''] = Object.keys(value);
  const types: Readonly<Record<string, string>> = {
    stringValue: 'string',
    intValue: 'int',
    doubleValue: 'double',
    boolValue: 'boolean',
    arrayValue: 'string[]',
  };
  return types[kind] ?? kind;
}

/** The attributes of a span or a value, by name. */
export function valuesOf(attributes: readonly KeyValue[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [given] = Object.values(value) as unknown[];
      const isList = value.arrayValue !== undefined;
      return [key, isList ? value.arrayValue.values.map((one) => one.stringValue) : given];
    }),
  );
}

/** A receiver of OTLP over HTTP on this computer, which keeps what it gets. */
export async function otlpReceiver(answer: 'ok' | 'error' | 'never' = 'ok') {
  const bodies: { readonly path: string; readonly text: string }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      bodies.push({ path: request.url ?? '', text });
      if (answer === 'never') return;
      response.writeHead(answer === 'ok' ? 200 : 400, { 'content-type': 'application/json' });
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const of = <T>(path: string, take: (body: never) => readonly T[]): readonly T[] =>
    bodies
      .filter((body) => body.path === path)
      .flatMap(({ text }) => take(JSON.parse(text) as never));
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bodies,
    get text() {
      return bodies.map(({ text }) => text).join('\n');
    },
    get spans(): readonly ReceivedSpan[] {
      interface Traces {
        readonly resourceSpans: readonly {
          readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
        }[];
      }
      return of('/v1/traces', ({ resourceSpans }: Traces) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      );
    },
    get metrics(): readonly ReceivedMetric[] {
      interface Metrics {
        readonly resourceMetrics: readonly {
          readonly scopeMetrics: readonly { readonly metrics: readonly ReceivedMetric[] }[];
        }[];
      }
      return of('/v1/metrics', ({ resourceMetrics }: Metrics) =>
        resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((one) => one.metrics)),
      );
    },
  };
}
