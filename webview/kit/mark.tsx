import type { VNode } from 'preact';

/** Draws the Plimsoll mark: a circle with a line through it, the load line on a ship's hull. */
export function Mark({ size = 16 }: { readonly size?: number }): VNode {
  return (
    <svg
      class="mark"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="4.75" />
      <path d="M0.75 8h14.5" />
    </svg>
  );
}
