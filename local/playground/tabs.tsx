import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

type TabsProps = {
  id: string
  label: string
  /** By the name of the tab. */
  of: Readonly<Record<string, ComponentChildren>>
  /** Tabs in which something is wrong. */
  marked?: readonly string[]
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/** One of several panels is shown. All are there: what was typed stays, and errors find a field. */
export function Tabs({ id, label, of, marked = [] }: TabsProps) {
  const names = Object.keys(of)
  const [chosen = '', choose] = useState(names[0])
  const idOf = (name: string) => `${id}-${names.indexOf(name)}`
  function move({ key }: KeyboardEvent): void {
    const step = steps[key]
    if (step === undefined) return
    const next = names.at((names.indexOf(chosen) + step) % names.length) ?? ''
    choose(next)
    document.getElementById(`${idOf(next)}-tab`)?.focus()
  }
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} onKeyDown={move}>
        {names.map((name) => (
          <button
            type="button"
            role="tab"
            id={`${idOf(name)}-tab`}
            aria-controls={idOf(name)}
            aria-selected={name === chosen}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => choose(name)}
            key={name}
          >
            {name}
            {marked.includes(name) && <span class="bad"> ▲</span>}
          </button>
        ))}
      </div>
      {Object.entries(of).map(([name, children]) => (
        <div
          role="tabpanel"
          class="stack"
          id={idOf(name)}
          aria-labelledby={`${idOf(name)}-tab`}
          hidden={name !== chosen}
          key={name}
          children={children}
        />
      ))}
    </div>
  )
}
