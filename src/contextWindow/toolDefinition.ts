/** A tool as it is described to the model. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema with `type: "object"`. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Who provides it, in words; absent for Plimsoll's own. It is shown, and not sent. */
  readonly provider?: string;
}
