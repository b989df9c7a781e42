/** The course of a measured session. */
export interface Course {
  readonly steps: number;
  /** Steps between passes; absent for no passes. */
  readonly passEvery?: number;
  readonly turnSteps: number;
  /** Lines that a read shows; absent for the default. */
  readonly readLines?: number;
  /** Measured once, in a fresh process. */
  readonly isCold?: boolean;
}

/** The course to measure in this process, given by `growth.mjs` as JSON. */
export const COURSE = JSON.parse(process.argv[2] ?? '{"steps":1000,"turnSteps":40}') as Course;
