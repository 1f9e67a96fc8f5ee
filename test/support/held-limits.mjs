/*
 * Loaded before a program: none of its limits of a second or more ends within a minute, so that a slow machine changes
 * nothing. It is JavaScript, so that the process strips no types.
 */
import { Socket } from 'node:net'

const { setTimeout, clearTimeout } = globalThis
const minute = 60_000
const held = new Map()

globalThis.setTimeout = (act, ms, ...args) => {
  if (!(ms >= 1000)) return setTimeout(act, ms, ...args)
  const timer = setTimeout(act, Math.max(ms, minute), ...args)
  held.set(timer, { ms, act: () => act(...args) })
  return timer
}
globalThis.clearTimeout = (timer) => {
  held.delete(timer)
  clearTimeout(timer)
}
const { setTimeout: setSocketTimeout } = Socket.prototype
Socket.prototype.setTimeout = function (ms, act) {
  return setSocketTimeout.call(this, ms >= 1000 ? Math.max(ms, minute) : ms, act)
}

/** Ends those that last so long at most, as if that time had passed. */
export function passTime(milliseconds) {
  const inOrder = [...held].sort(([, one], [, other]) => one.ms - other.ms)
  for (const [timer, { ms, act }] of inOrder) {
    if (ms > milliseconds || !held.has(timer)) continue
    globalThis.clearTimeout(timer)
    act()
  }
}
