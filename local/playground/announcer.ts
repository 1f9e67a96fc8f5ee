import { byId } from './dom.ts'

/** Says what came of an action to those who don't see it: a live region speaks only if it was there before its text. */
export function announce(text: string): void {
  byId('announcer', HTMLElement).textContent = text
}
