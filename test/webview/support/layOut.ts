/**
 * Gives happy-dom's elements the layout that a list needs: each shows `height` CSS pixels, is as
 * long as the style of its first child says, and reports scrolling. Returns a function that removes
 * it.
 */
export function layOut(height: number): () => void {
  const tops = new WeakMap<Element, number>();
  const restore = [
    define(HTMLElement.prototype, 'clientHeight', { get: () => height }),
    define(Element.prototype, 'scrollHeight', { get: lengthOf }),
    define(Element.prototype, 'scrollTop', {
      get(this: Element) {
        return tops.get(this) ?? 0;
      },
      set(this: Element, top: number) {
        const reached = Math.max(0, Math.min(top, lengthOf.call(this) - height));
        if (reached === (tops.get(this) ?? 0)) return;
        tops.set(this, reached);
        this.dispatchEvent(new Event('scroll'));
      },
    }),
  ];
  return () => restore.forEach((each) => each());
}

function lengthOf(this: Element): number {
  const [first] = this.children;
  return first instanceof HTMLElement ? parseFloat(first.style.height) || 0 : 0;
}

function define(owner: object, name: string, property: PropertyDescriptor): () => void {
  const former = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { ...property, configurable: true });
  return () => {
    if (former === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, former);
  };
}
