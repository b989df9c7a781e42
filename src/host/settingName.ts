/** Writes a setting's full name: `plimsoll.context.models["claude-x"].highWatermark`. */
export function settingName(keys: readonly string[]): string {
  return keys.reduce(
    (name, key) => (/^\w*$/.test(key) ? `${name}.${key}` : `${name}[${JSON.stringify(key)}]`),
    'plimsoll',
  );
}
