/** The profile of a learner in the rows of reports, if nothing is known. */
export const noProfile = {
  department: null,
  jobTitle: null,
  country: null,
  location: null,
  timeZone: null,
  managerId: null,
};

/** Builds the profile in the rows of reports from a row of `learners`. */
export function toProfile(learner: Record<string, unknown>): object {
  return {
    department: learner.department,
    jobTitle: learner.job_title,
    country: learner.country,
    location: learner.location,
    timeZone: learner.time_zone,
    managerId: learner.manager_id,
  };
}

/** The columns of the profile in CSV files. */
export const PROFILE_COLUMNS = ['department', 'jobTitle', 'country', 'location', 'timeZone', 'managerId'];
