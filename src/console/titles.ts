// Finds the console page of a component, and the guide page of a console page.
import { manifestOf, manifests } from '#manifests'

/** The name of a component's page in the console. */
export const pageTitled = (component: string): string => manifestOf(component)?.page ?? component

/** The path of the guide's page about a page of the console. */
export function guideOf(page = ''): string {
  const shown = manifests.find(({ name }) => pageTitled(name) === page)
  return `/docs/${page === '' ? 'console' : (shown?.docs?.[0] ?? shown?.name ?? page)}`
}
