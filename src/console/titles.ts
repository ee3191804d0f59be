// Finds the page of the console for a component, and the page of the guide (the documentation) for a page of the console.
import { manifestOf, manifests } from '#manifests'

/** Name of the console page of a component. Several components can share a page. */
export const pageTitled = (component: string): string => manifestOf(component)?.page ?? component

/** Path of the guide's page about a page of the console, for the link "Guide". */
export function guideOf(page = ''): string {
  const shown = manifests.find(({ name }) => pageTitled(name) === page)
  return `/docs/${page === '' ? 'console' : (shown?.docs?.[0] ?? shown?.name ?? page)}`
}
