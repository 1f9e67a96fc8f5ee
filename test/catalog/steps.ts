import type { Model, Share } from '../workbooks/model.ts'
import { allEmbedUsers, embedTenant, folder, share, without, workbook } from '../world.ts'

export type Step =
  | { readonly do: 'putFolder'; readonly id: number; readonly parentId: number | null }
  | { readonly do: 'endFolder'; readonly id: number }
  | { readonly do: 'putWorkbook'; readonly id: number; readonly folderId: number | null }
  | { readonly do: 'endWorkbook'; readonly id: number }
  | { readonly do: 'share' | 'unshare'; readonly share: Share }

/** What the steps do to plain maps. Shares of things that are gone have ended; those of things to come wait. */
export class Expected implements Model {
  readonly folders = new Map<number, number | null>()
  readonly workbooks = new Map<number, number | null>()
  shares: Share[] = []

  /** @returns false where the catalog has to refuse the step */
  take(step: Step): boolean {
    switch (step.do) {
      case 'putFolder':
        if (this.#liesWithin(step.parentId, step.id)) return false
        this.folders.set(step.id, step.parentId)
        return true
      case 'endFolder':
        this.folders.delete(step.id)
        this.#endShares('folder', step.id)
        return true
      case 'putWorkbook':
        this.workbooks.set(step.id, step.folderId)
        return true
      case 'endWorkbook':
        this.workbooks.delete(step.id)
        this.#endShares('workbook', step.id)
        return true
      case 'share':
        this.shares.push(step.share)
        return true
      case 'unshare':
        this.shares = this.shares.filter((each) => JSON.stringify(each) !== JSON.stringify(step.share))
        return true
    }
  }

  #liesWithin(id: number | null, folder: number): boolean {
    if (id === folder) return true
    return id !== null && this.folders.has(id) && this.#liesWithin(this.folders.get(id) ?? null, folder)
  }

  #endShares(type: Share['type'], id: number): void {
    this.shares = this.shares.filter((each) => each.type !== type || each.id !== id)
  }
}

export function changeOf(deploymentId: number, step: Step) {
  switch (step.do) {
    case 'putFolder':
      return folder(deploymentId, step.id, step.parentId)
    case 'endFolder':
      return without(folder(deploymentId, step.id, null))
    case 'putWorkbook':
      return workbook(deploymentId, step.id, { folderId: step.folderId })
    case 'endWorkbook':
      return without(workbook(deploymentId, step.id))
    default: {
      const { type, id, tenant } = step.share
      const change = share(deploymentId, type, id, tenant === null ? allEmbedUsers : embedTenant(tenant))
      return step.do === 'share' ? change : without(change)
    }
  }
}
