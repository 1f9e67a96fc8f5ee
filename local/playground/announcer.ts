import { byId } from './dom.ts'

/** Tells screen readers the result of an action. A live region speaks only if it was there before its text. */
export function announce(text: string): void {
  byId('announcer', HTMLElement).textContent = text
}
