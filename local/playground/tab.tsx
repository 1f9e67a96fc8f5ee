import type { ComponentChildren } from 'preact'
import type { InputError } from './api.ts'
import type { Form } from './fields.tsx'
import type { Directory } from './use-directory.ts'

/** Who asks, with which key, about which deployment. */
export type Caller = {
  readonly authorization: string
  /** Whether the keys and deployments have been read that it may be chosen from. */
  readonly isKnown: boolean
  /** As it was typed. */
  readonly deployment: string
  /** What has to be typed before anything can be asked, as a sentence. */
  readonly missing: string | undefined
}

/** What every tab is made with. */
export type TabProps = {
  readonly form: Form
  readonly caller: Caller
  readonly directory: Directory
  readonly isShown: boolean
  /** Changes whenever a list that is shown must be asked for again. */
  readonly settled: number
  settle(): void
  /**
   * Shows each error at its field.
   * @param names of the fields
   * @param focus whether the first of them gets the focus
   * @returns those that belong to no field
   */
  showErrors(errors: readonly InputError[], names: readonly string[], focus: boolean): readonly InputError[]
}

type SectionProps = { id: string; title: string; lead: string; isShown: boolean; children: ComponentChildren }

export const Section = ({ id, title, lead, isShown, children }: SectionProps) => (
  <section id={id} aria-labelledby={`${id}-title`} hidden={!isShown}>
    <h2 id={`${id}-title`} tabIndex={-1} children={title} />
    <p class="lead">{lead}</p>
    {children}
  </section>
)
