import { createCaller } from './caller.ts'
import { dbtSyncsSection } from './dbt-syncs-section.ts'
import type { Directory } from './directory.ts'
import { notificationsSection } from './notifications-section.ts'
import { showSections } from './sections.ts'
import { sessionSection } from './session-section.ts'
import { suggestThingsOf } from './suggestions.ts'
import { workbooksSection } from './workbooks-section.ts'

const directory: Directory = await (await fetch('/playground/directory.json')).json()
const caller = createCaller(directory)
const suggestAgain = () => suggestThingsOf(caller.account())
suggestAgain()
caller.onChange(suggestAgain)

sessionSection(caller)
const lists = new Map([
  ['workbooks', workbooksSection(caller)],
  ['syncs', dbtSyncsSection(caller)],
  ['notifications', notificationsSection(caller)],
])
showSections((id) => lists.get(id)?.shown())
