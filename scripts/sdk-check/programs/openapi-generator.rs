use client::apis::configuration::Configuration;
use client::apis::{learners_api, policies_api, reports_api, simulations_api, Error};
use client::models::{CreateLearnersInput, DeleteLearnersInput, ErrorDetail, LearnerCreationItem};
use std::env::var;
use std::fmt::Debug;

/// Prints the result of a call or its error.
fn tell<E: Debug>(name: &str, read: Result<String, E>) {
    let words = read.unwrap_or_else(|error| format!("! {error:?}"));
    println!("{name}: {}", words.split_whitespace().collect::<Vec<_>>().join(" "));
}

fn error_of(configuration: &Configuration, learner_id: &str) -> Result<ErrorDetail, String> {
    match learners_api::get_learner(configuration, learner_id, /* omitted: getLearner */) {
        // All statuses have one type, so the client takes the first variant that fits.
        Err(Error::ResponseError(failure)) => match failure.entity {
            Some(learners_api::GetLearnerError::Status400(answer)) => Ok(*answer.error),
            other => Err(format!("{other:?}")),
        },
        other => Err(format!("{other:?}")),
    }
}

fn main() {
    let mut configuration = Configuration::new();
    configuration.base_path = var("SERVICE_URL").unwrap();
    configuration.bearer_access_token = Some(var("SERVICE_KEY").unwrap());
    let service = &configuration;

    tell("list", policies_api::list_policies(service, /* omitted: listPolicies */).map(|answer| {
        let uncategorised = answer.data.iter().filter(|policy| policy.category.is_none()).count();
        format!("{} policies, {uncategorised} uncategorised", answer.data.len())
    }));
    tell("report", reports_api::get_learning_report(service, /* omitted: getLearningReport */).map(|answer| {
        let (rows, summary) = (answer.data.rows, answer.data.summary);
        let ungraded = rows.iter().filter(|row| row.grade.is_none()).count();
        let average = summary.average_score.unwrap();
        format!("{} rows, {ungraded} ungraded, {} passed, {average:.2}", rows.len(), summary.passed_count)
    }));
    tell("missing", error_of(service, "nobody").map(|error| {
        format!("{}, {} details", error.code, error.details.len())
    }));
    let emails = [var("EMAIL").unwrap(), "ada@gmail.com".to_string()];
    let rows = emails.map(|email| LearnerCreationItem::new(email, "Ada".to_string(), "Byron".to_string()));
    tell("bulk", learners_api::create_learners(service, CreateLearnersInput::new(rows.to_vec()), /* omitted: createLearners */).map(|answer| {
        let errors = answer.data.errors.iter().map(|error| format!("{} {}", error.index, error.code));
        format!("{}, {}", answer.data.success, errors.collect::<Vec<_>>().join(", "))
    }));
    let pdf = var("PDF_FILE").unwrap().into();
    tell("upload", policies_api::upload_policy_file(service, pdf, /* omitted: uploadPolicyFile */).map(|answer| answer.data.sha256));
    let learner = uuid::Uuid::parse_str(&var("LEARNER_ID").unwrap()).unwrap();
    let deletion = learners_api::delete_learners(service, DeleteLearnersInput::new(vec![learner]), /* omitted: deleteLearners */);
    tell("deletion", deletion.map(|answer| answer.data.to_string()));
    tell("newer", error_of(service, "newer").and_then(|error| {
        let answer = simulations_api::list_simulations(service, /* omitted: listSimulations */).map_err(|failure| format!("{failure:?}"))?;
        Ok(format!("{}, {}", error.code, answer.data[0].status))
    }));
}
