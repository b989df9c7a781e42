/**
 * Mends two parts of happy-dom that DOMPurify relies on; import this before anything that sanitises.
 *
 * `Node.prototype.nodeName` answers "" for elements there, and a node iterator stops at the first
 * node that is removed, so that all behind it would go unsanitised. Both are as in the DOM standard
 * from here on, and what a test sees is what DOMPurify does in a browser.
 */
Object.defineProperty(Node.prototype, 'nodeName', {
  configurable: true,
  get(this: Node): string {
    if (this instanceof Element) return this.tagName;
    return this.nodeType === Node.TEXT_NODE ? '#text' : '#other';
  },
});

ownerOf(document, 'createNodeIterator').createNodeIterator = iterate;

function ownerOf(object: object, name: string): { createNodeIterator: typeof iterate } {
  let owner: object = object;
  while (!Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner) as object;
  return owner as { createNodeIterator: typeof iterate };
}

function iterate(root: Node, whatToShow = NodeFilter.SHOW_ALL): { nextNode(): Node | null } {
  const visited: Node[] = [];
  const isShown = (node: Node): boolean => (whatToShow & (1 << (node.nodeType - 1))) !== 0;
  return {
    nextNode() {
      // Where the node last returned has been removed, the walk goes on behind the one before it.
      while (visited.length > 0 && !root.contains(visited.at(-1)!)) visited.pop();
      let next = visited.length === 0 ? root : following(visited.at(-1)!, root);
      while (next !== null && !isShown(next)) next = following(next, root);
      if (next !== null) visited.push(next);
      return next;
    },
  };
}

/** The next node in document order inside the root. */
function following(node: Node, root: Node): Node | null {
  if (node.firstChild !== null) return node.firstChild;
  for (let at: Node | null = node; at !== null && at !== root; at = at.parentNode) {
    if (at.nextSibling !== null) return at.nextSibling;
  }
  return null;
}

export {};
