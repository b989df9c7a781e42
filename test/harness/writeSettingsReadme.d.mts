export function settingsReadme(
  page: string,
  properties: Readonly<Record<string, object>>,
): Promise<string>;
