import { parentPort, workerData } from 'node:worker_threads';
import type { InputToCheck } from './checkInput';
import { problemOf } from './inputProblem';

/** Entry of dist/schemaWorker.js: checks one input and ends. */
parentPort?.postMessage(problemOf(workerData as InputToCheck));
