export interface Failure {
  readonly title: string;
  readonly message: string;
}

export interface ReportedFile {
  /** An absolute path. */
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

export function failuresIn(files: readonly ReportedFile[]): Failure[];
export function failureText(failure: Failure): string;
