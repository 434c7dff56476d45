import contract from '../../generated/scim.json' with { type: 'json' };

const { schemas, parameters } = contract.components;

/** The bounds of the contract. They hold for what was read, whatever form that was sent in. */
export const BOUNDS = {
  operations: schemas.PatchInput.properties.Operations.maxItems,
  pathLength: schemas.PatchOperation.properties.path.maxLength,
  /** Of a filter, and of the names of attributes together. */
  filterLength: parameters.Filter.schema.maxLength,
  members: schemas.GroupInput.properties.members.maxItems,
  memberLength: schemas.MemberInput.properties.value.maxLength,
};
