import { type DbtSync, lengthOf, type Phase, phasesOf } from './dbt-sync.ts'
import { element } from './dom.ts'
import { duration } from './words.ts'

/** A time axis that several syncs share, so that their bars compare. */
export type Scale = { readonly endMs: number; readonly ticks: readonly number[] }

const steps = [1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 86_400].map((seconds) => seconds * 1000)

/** From nothing to the longest of them, with at most six marks at round times. */
export function scaleFor(syncs: readonly DbtSync[]): Scale {
  const longest = Math.max(1000, ...syncs.map((sync) => lengthOf(sync) ?? 0))
  const step = steps.find((each) => longest / each <= 5) ?? longest
  const count = Math.ceil(longest / step)
  return { endMs: count * step, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) }
}

/** The marks of the axis. Hidden from screen readers: each bar says its times itself. */
export function axisView({ endMs, ticks }: Scale): HTMLElement {
  return element(
    'div',
    { class: 'axis', 'aria-hidden': 'true' },
    ...ticks.map((tick) => at(element('span', {}, tick === 0 ? '0' : duration(tick)), tick / endMs)),
  )
}

/** The phases of a sync as a bar on the scale. */
export function timelineView(sync: DbtSync, { endMs, ticks }: Scale, order: readonly string[]): HTMLElement {
  const phases = phasesOf(sync)
  const told = phases.map(({ phase, outcome, durationMs }) => `${phase} ${outcome} after ${duration(durationMs)}`)
  const bar = element('div', {
    class: 'timeline',
    role: 'img',
    'aria-label': told.length > 0 ? `Phases: ${told.join(', ')}` : 'No phases recorded',
  })
  bar.append(
    ...ticks.map((tick) => at(element('span', { class: 'grid-line' }), tick / endMs)),
    ...phases.map((phase) => segment(phase, endMs, order)),
  )
  return bar
}

function segment({ phase, outcome, durationMs, startedOffsetMs }: Phase, endMs: number, order: readonly string[]) {
  const made = element('span', {
    class: `segment phase-${order.indexOf(phase) % phaseColours} ${outcome === 'succeeded' ? '' : 'stopped'}`,
    title: `${phase}: ${outcome}, ${duration(durationMs)}`,
    'data-phase': phase,
    'data-outcome': outcome,
  })
  made.style.width = percent(durationMs / endMs)
  return at(made, startedOffsetMs / endMs)
}

/** How many colours the style sheet has for phases. */
const phaseColours = 6

/** Which colour is which phase. */
export const legendView = (order: readonly string[]): HTMLElement =>
  element(
    'ul',
    { class: 'legend', 'aria-label': 'Phases' },
    ...order.map((phase, index) =>
      element('li', {}, element('span', { class: `swatch phase-${index % phaseColours}` }), phase),
    ),
    element('li', {}, element('span', { class: 'swatch stopped' }), 'failed or cancelled there'),
  )

/** Phases in the order in which they first run. */
export function phaseOrder(syncs: readonly DbtSync[]): string[] {
  const longestFirst = syncs.map(phasesOf).sort((a, b) => b.length - a.length)
  return [...new Set(longestFirst.flat().map(({ phase }) => phase))]
}

function at<E extends HTMLElement>(placed: E, share: number): E {
  placed.style.left = percent(share)
  return placed
}

const percent = (share: number): string => `${share * 100}%`
