/** What tests set where nobody looks: nothing moves by itself. */
export const calmSettings: Readonly<Record<string, unknown>>;
