/** Why a wish was not fulfilled; undefined when it was. */
export type Refusal = string | undefined;
