import type { Model, Share } from '../workbooks/model.ts'
import { contentOf, type Planned } from './plan.ts'
import type { recipients } from './subjects.ts'

type Content = Readonly<Record<string, unknown>>

/** The plain model of a plan: each thing is what its newest change says. */
export class Newest {
  readonly #byThing = new Map<string, Planned>()
  readonly plan: readonly Planned[]

  constructor(plan: readonly Planned[]) {
    this.plan = plan
    for (const each of plan) {
      const known = this.#byThing.get(each.thing)
      if (each.counts && (!known || known.order < each.order)) this.#byThing.set(each.thing, each)
    }
  }

  all(kind: string, deploymentId?: number): Content[] {
    return [...this.#byThing.values()]
      .filter(({ change }) => change.kind === kind)
      .map(contentOf)
      .filter((content) => content !== undefined)
      .filter((content) => deploymentId === undefined || content.deploymentId === deploymentId)
  }

  deployments(): number[] {
    return this.all('deployment').map(({ id }) => id as number)
  }

  /** The name of a thing that is there. */
  name(kind: string, deploymentId: number, id: number): string {
    return this.all(kind, deploymentId).find((content) => content.id === id)?.name as string
  }

  workbooks(deploymentId: number): Model {
    const live = (kind: string) => this.all(kind, deploymentId)
    return {
      folders: new Map(
        live('folder').map(({ id, parentId }) => [id, parentId] as [number, number]),
      ),
      workbooks: new Map(
        live('workbook').map(({ id, folderId }) => [id, folderId] as [number, number]),
      ),
      shares: live('share').map(({ resource, grantee }) => ({
        ...(resource as Pick<Share, 'type' | 'id'>),
        tenant: (grantee as { name?: string }).name ?? null,
      })),
    }
  }

  /** Newest first, then by id, each with the turn of its content. */
  notifications(
    deploymentId: number,
    recipient?: (typeof recipients)[number],
    dashboardId?: number,
  ): string[] {
    const receives = this.all('recipient', deploymentId)
      .filter((each) => JSON.stringify(each.recipient) === JSON.stringify(recipient))
      .map(({ notificationId }) => notificationId)
    const isThere =
      recipient?.type === 'user'
        ? this.all('user').some(({ id }) => id === recipient.userId)
        : recipient && this.tenant(recipient.embedTenantName) !== undefined
    return this.all('notification', deploymentId)
      .filter(({ id }) => !recipient || (isThere && receives.includes(id)))
      .filter((each) => dashboardId === undefined || each.dashboardId === dashboardId)
      .sort(
        (a, b) =>
          (b.createdAt as string).localeCompare(a.createdAt as string) ||
          Number(b.id) - Number(a.id),
      )
      .map(({ id, timezone }) => `${id} ${timezone}`)
  }

  /**
   * A tenant is there once a put has named it, unless its own newest change says that it is
   * deleted. Its groups and attributes are in order of their names.
   */
  tenant(name: string): object | undefined {
    const own = [...this.#byThing.values()].find(
      ({ change }) => change.kind === 'embedTenant' && (change.data as Content).name === name,
    )
    const content = own && contentOf(own)
    if (own ? !content : !this.#names(name)) return undefined
    const defined = (kind: string) =>
      this.all(kind)
        .filter(({ embedTenantName }) => embedTenantName === name)
        .map((each) => `${each.name} ${each.description}`)
        .sort()
    return {
      displayName: content?.displayName,
      groups: defined('tenantGroup'),
      attributes: defined('attributeDefinition'),
    }
  }

  /** Whether a deletion has ended its tokens, whatever came before and after. */
  isEverDeleted = (name: string): boolean =>
    this.plan.some(
      ({ change: { kind, op, data } }) =>
        kind === 'embedTenant' && op === 'delete' && (data as Content).name === name,
    )

  #names(tenant: string): boolean {
    return this.plan.some(({ change: { op = 'put', data } }) => {
      const { grantee, recipient, embedTenantName } = data as Record<
        'grantee' | 'recipient',
        Content
      > &
        Content
      return (
        op === 'put' &&
        [grantee?.name, recipient?.embedTenantName, embedTenantName].includes(tenant)
      )
    })
  }
}
