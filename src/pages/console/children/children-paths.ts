/** Path prefix of the pages of managed companies. */
export const CHILDREN_PATH = '/console/companies';
export const COMPARISON_PATH = `${CHILDREN_PATH}/compare`;
