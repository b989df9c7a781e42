import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../../ui/toolkit';
import { shownTabPanel, useFocusHeir } from '../parts/useFocusHeir';
import type { SendWish } from '../panelStore';

/** Explains the map in three sentences, once. */
export function Intro({ wish }: { readonly wish: SendWish }): VNode {
  const intro = useRef<HTMLElement>(null);
  useFocusHeir(intro, { gone: shownTabPanel });
  return (
    <section
      ref={intro}
      class="notice intro"
      aria-label="What this panel shows"
      data-testid="intro"
    >
      <p class="message">
        The bar is everything the model reads with its next request, to scale, with the lines at
        which room is made. A pass begins above the high watermark and takes the oldest and least
        useful out until the low one is reached. Whatever left stays in the list below: you can look
        at it, read why it went, and bring it back.
      </p>
      <Button onClick={() => wish({ type: 'dismissIntro' })} data-testid="dismiss-intro">
        Got it
      </Button>
    </section>
  );
}
