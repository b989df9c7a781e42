import { apiError, invalid, type ApiError } from '../apiError';
import { compactionBeta, contextManagementBeta } from './contextEdit';
import { bindingControlsBeta } from './requestShape';
import { currentVersion } from './validateRequest';

/** Headers of a request, names in lower case. */
export type Headers = Readonly<Record<string, string>>;

const secretHeaders = ['authorization', 'x-api-key', 'cookie', 'proxy-authorization'];

/**
 * The betas of SDK 1.12.0 that the strict server knows; those it does not implement change nothing.
 */
const knownBetas = [
  bindingControlsBeta,
  compactionBeta,
  contextManagementBeta,
  'cache-diagnosis-2026-04-07',
  'context-1m-2025-08-07',
  'extended-cache-ttl-2025-04-11',
  'interleaved-thinking-2025-05-14',
  'model-context-window-exceeded-2025-08-26',
  'prompt-caching-2024-07-31',
  'structured-outputs-2025-12-15',
  'token-counting-2024-11-01',
];

/** Removes everything from headers that could be a credential. */
export function withoutSecrets(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !secretHeaders.includes(name)),
  );
}

/** Lists the betas that a request turns on. */
export function betasOf(headers: Headers): readonly string[] {
  return (headers['anthropic-beta'] ?? '')
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '');
}

/** The betas of a request that the strict server does not know. */
export function unknownBetasOf(headers: Headers): readonly string[] {
  return betasOf(headers).filter((beta) => !knownBetas.includes(beta));
}

/** Checks the headers of a request: a credential (any will do), and a known version. */
export function headerFault(headers: Headers): ApiError | undefined {
  const bearer = /^Bearer \S+$/.test(headers['authorization'] ?? '');
  if (!bearer && !headers['x-api-key']) {
    return apiError('authentication_error', 'x-api-key header is required');
  }
  const version = headers['anthropic-version'];
  if (version === undefined) return invalid('anthropic-version: header is required');
  if (version !== currentVersion && version !== '2023-06-01') {
    return invalid(`anthropic-version: "${version}" is not a valid version`);
  }
  return undefined;
}

/** Checks that a request turns on known betas alone. */
export function betaFault(headers: Headers): ApiError | undefined {
  const [unknown] = unknownBetasOf(headers);
  return unknown === undefined
    ? undefined
    : invalid(`Unexpected value(s) \`${unknown}\` for the \`anthropic-beta\` header.`);
}
