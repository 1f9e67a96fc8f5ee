import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

type TabsProps = {
  id: string
  label: string
  of: readonly { name: string; content: ComponentChildren; isMarked?: boolean }[]
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/** Shows one of several panels. All are in the page: what was typed stays, errors find a field. */
export function Tabs({ id, label, of }: TabsProps) {
  const names = of.map(({ name }) => name)
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
        {of.map(({ name, isMarked }) => (
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
            {isMarked && <span class="bad"> ▲</span>}
          </button>
        ))}
      </div>
      {of.map(({ name, content }) => (
        <div
          role="tabpanel"
          class="stack"
          id={idOf(name)}
          aria-labelledby={`${idOf(name)}-tab`}
          hidden={name !== chosen}
          key={name}
          children={content}
        />
      ))}
    </div>
  )
}
