import { describe } from 'vitest';
import { soakHalf } from '../support/soakSessions';

describe('every invariant over 10,000 random sessions of any policy', () => soakHalf(0));
