/** How a session went. */
export interface Course {
  readonly steps: number;
  /** Steps from one pass to the next; absent for no passes. */
  readonly passEvery?: number;
  /** Steps of a turn. */
  readonly turnSteps: number;
  /** Lines of a file that a read shows; absent for the usual ones. */
  readonly readLines?: number;
  /** Measured once, in a process in which nothing ran before. */
  readonly isCold?: boolean;
}

/** The course this process measures: `growth.mjs` gives it as JSON. */
export const COURSE = JSON.parse(process.argv[2] ?? '{"steps":1000,"turnSteps":40}') as Course;
