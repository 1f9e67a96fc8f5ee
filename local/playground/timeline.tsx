import type { Schemas } from './api.ts'
import { duration } from './words.tsx'

type DbtSync = Schemas['DbtSync']

export const phasesOf = ({ phases = [] }: DbtSync) => phases as readonly Required<Schemas['DbtSyncPhase']>[]

/** How long it took, or has run for as far as its phases tell; nothing where neither is known. */
export function lengthOf(sync: DbtSync): number | undefined {
  const ends = phasesOf(sync).map(({ startedOffsetMs, durationMs }) => startedOffsetMs + durationMs)
  return sync.durationMs ?? (ends.length > 0 ? Math.max(...ends) : undefined)
}

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

/** Phases in the order in which they first run. */
export function phaseOrder(syncs: readonly DbtSync[]): string[] {
  const longestFirst = syncs.map(phasesOf).sort((a, b) => b.length - a.length)
  return [...new Set(longestFirst.flat().map(({ phase }) => phase))]
}

/** The marks of the axis. Hidden from screen readers: each bar says its times itself. */
export const Axis = ({ scale: { endMs, ticks } }: { scale: Scale }) => (
  <div class="axis" aria-hidden="true">
    {ticks.map((tick) => (
      <span style={{ left: percent(tick / endMs) }} key={tick} children={tick === 0 ? '0' : duration(tick)} />
    ))}
  </div>
)

type TimelineProps = { sync: DbtSync; scale: Scale; order: readonly string[] }

/** The phases of a sync as a bar on the scale. */
export function Timeline({ sync, scale: { endMs, ticks }, order }: TimelineProps) {
  const phases = phasesOf(sync)
  const told = phases.map(({ phase, outcome, durationMs }) => `${phase} ${outcome} after ${duration(durationMs)}`)
  return (
    <div class="timeline" role="img" aria-label={told.length > 0 ? `Phases: ${told.join(', ')}` : 'No phases recorded'}>
      {ticks.map((tick) => (
        <span class="grid-line" style={{ left: percent(tick / endMs) }} key={tick} />
      ))}
      {phases.map(({ phase, outcome, durationMs, startedOffsetMs }) => (
        <span
          class={`segment ${outcome === 'succeeded' ? '' : 'stopped'}`}
          title={`${phase}: ${outcome}, ${duration(durationMs)}`}
          data-phase={phase}
          data-outcome={outcome}
          style={{
            left: percent(startedOffsetMs / endMs),
            width: percent(durationMs / endMs),
            '--phase': order.indexOf(phase),
          }}
          key={`${phase} ${startedOffsetMs}`}
        />
      ))}
    </div>
  )
}

/** Which colour is which phase. */
export const Legend = ({ order }: { order: readonly string[] }) => (
  <ul class="legend" aria-label="Phases">
    {order.map((phase, index) => (
      <li key={phase}>
        <span class="swatch" style={{ '--phase': index }} />
        {phase}
      </li>
    ))}
    <li key="">
      <span class="swatch stopped" />
      failed or cancelled there
    </li>
  </ul>
)

const percent = (share: number): string => `${share * 100}%`
