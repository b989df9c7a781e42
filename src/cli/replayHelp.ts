import { ASSUMED_WINDOW_TOKENS } from '../counting/modelWindows';
import { REPLAY_POLICIES } from '../replay/replaySettings';
import { TRANSCRIPT_FORMATS } from '../sessions/transcript';
import { DEFAULT_SETTINGS } from '../settings/settings';

const { context: DEFAULTS, model: DEFAULT_MODEL } = DEFAULT_SETTINGS;

/** What `plimsoll replay --help` says. */
export const REPLAY_HELP = `Usage: plimsoll replay FILE... [options]

Feeds recorded sessions of any agent through Plimsoll's window and reports what each policy would
have kept. The report goes to standard output, progress to standard error. The window holds what
the file holds; only the Context panel adds what the API counted beyond it as a fixed part.

  --format F           auto, ${TRANSCRIPT_FORMATS.join(', ')}
                       (default: auto); messages is a body of the Messages API or its array
  --policy P           the policy (default: ${DEFAULTS.policy})
  --compare P1,P2,...  several policies, one after another
  --window N           context window in tokens (default: ${ASSUMED_WINDOW_TOKENS})
  --max-reply N        tokens of it kept free for the reply (default: ${DEFAULTS.maxReplyTokens}),
  --safety N           because estimates may be too low (default: ${DEFAULTS.safetyHeadroomTokens}),
  --tool-headroom N    and for the next tool results (default: ${DEFAULTS.toolResultHeadroomTokens})
  --high M             a pass starts above this fraction of the rest, or above so many
                       tokens of at least 1000 (default: ${DEFAULTS.highWatermark})
  --low M              and stops at or below this one (default: ${DEFAULTS.lowWatermark})
  --keep-turns N       turns that stay under lastTurns (default: ${DEFAULTS.keepTurns})
  --max-messages N     messages that stay under slidingWindow and headTail (default: ${DEFAULTS.maxMessages})
  --no-pin             do not pin the task anchor
  --summariser S       who writes summaries: note, a work note without a model (default), or the
                       URL of a server that speaks the Messages API; it is asked for
                       ${DEFAULT_MODEL} with the key of ANTHROPIC_API_KEY
  --requests FILE      write every request as it would have been sent there, one a line; of several
                       files or policies each with its file, policy and step in front
  --ledger FILE        write every decision of every pass there, one a line
  --json               report as JSON: an array, one object for each file and policy

Policies: ${REPLAY_POLICIES.slice(0, -3).join(', ')};
recorded, which makes room where the recorded agent did, as it did; clairvoyant, which knows the
rest of the recording and so what can be had at best; and none, which evicts nothing. Under server
no API is asked: what it documents of clearing tool results is done in its place, and said so;
--requests then has each request as the API would read it.

Exit code: 0 finished, 1 a file cannot be read or written, 2 bad usage, 130 stopped.`;
