export function settingsReadme(
  page: string,
  sections: readonly {
    readonly title: string;
    readonly properties: Readonly<Record<string, object>>;
  }[],
): Promise<string>;
