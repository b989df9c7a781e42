import { measure } from '../support/costs';
import { bytesOf, HostedSession } from '../support/hostedSession';
import { longLog } from '../support/longLog';

// What the host computes for the Agent view and posts to it.

const { events, log } = longLog();
const hosted = new HostedSession('agent', events);
const publish = (): number => bytesOf(hosted.publish());

hosted.hydrate();
measure((time) => {
  hosted.append(log.reply());
  time('tell it of one more reply', publish);
  hosted.append(log.result());
  time('tell it of one more result', publish);
  time('tell it that nothing is new', publish);
});

// Measured in separate rounds: freshly written megabytes would slow down later measurements.
measure((time) => time('tell it everything', () => bytesOf(hosted.hydrate())));
