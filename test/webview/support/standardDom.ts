/**
 * Fixes two parts of happy-dom that DOMPurify relies on; import this before anything that
 * sanitises.
 *
 * In happy-dom, `Node.prototype.nodeName` is "" for elements, and a node iterator stops at the
 * first removed node, so that everything after it would not be sanitised. With this, both follow
 * the DOM standard, and a test sees what DOMPurify does in a browser.
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
      // If the node last returned was removed, the walk continues after the one before it.
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
