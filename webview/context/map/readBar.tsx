import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { WindowBar, type WindowBarProps } from './windowBar';

export interface ReadBarProps extends Omit<WindowBarProps, 'onRead'> {
  /** Said below the bar while nothing on it is pointed at. */
  readonly resting: string;
}

/** Draws the bar where no other line could give its place to what is pointed at. */
export function ReadBar({ resting, ...bar }: ReadBarProps): VNode {
  const [read, setRead] = useState<string | undefined>(undefined);
  return (
    <>
      <WindowBar {...bar} onRead={setRead} />
      <div class={read === undefined ? 'takes-turns small' : 'takes-turns other small'}>
        <p class="resting quiet">{resting}</p>
        <p class="readout" title={read} data-testid="bar-readout">
          {read}
        </p>
      </div>
    </>
  );
}
