import { writeFileSync } from 'node:fs';
import { shrinkPng } from './shrinkPng.mjs';

/** How long the workbench takes at most to come to rest: layout, fonts, the map settling; ms. */
const REST = 900;

/** Takes pictures of a page; `fileFor` says where the one of a name lies. */
export function cameraOf(page, fileFor) {
  const take = async (name, clip) =>
    writeFileSync(fileFor(name), shrinkPng(await page.screenshot({ clip })));
  return {
    /** Takes the whole window. */
    async whole(name) {
      await page.waitForTimeout(REST);
      await take(name);
    },
    /** Takes the least part of the window that shows all of `locators`. */
    async crop(name, ...locators) {
      await page.waitForTimeout(REST);
      const boxes = [];
      for (const locator of locators) {
        const box = await locator.boundingBox();
        if (box === null) throw new Error(`Nothing to see for the picture ${name}.`);
        boxes.push(box);
      }
      await take(name, clipOf(boxes, page.viewportSize()));
    },
  };
}

function clipOf(boxes, viewport) {
  const x = Math.max(0, Math.min(...boxes.map((box) => box.x)));
  const y = Math.max(0, Math.min(...boxes.map((box) => box.y)));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return {
    x,
    y,
    width: Math.min(right, viewport.width) - x,
    height: Math.min(bottom, viewport.height) - y,
  };
}
