<?php

require 'vendor/autoload.php';

use OpenAPI\Client\Api\LearnersApi;
use OpenAPI\Client\Api\PoliciesApi;
use OpenAPI\Client\Api\ReportsApi;
use OpenAPI\Client\Api\SimulationsApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\CreateLearnersInput;
use OpenAPI\Client\Model\DeleteLearnersInput;
use OpenAPI\Client\Model\ErrorDetail;
use OpenAPI\Client\Model\LearnerCreationItem;

Configuration::getDefaultConfiguration()->setHost(getenv('SERVICE_URL'))->setAccessToken(getenv('SERVICE_KEY'));
$learners = new LearnersApi();
$policies = new PoliciesApi();

/** Makes a call and prints its result or its error. */
function tell(string $name, callable $call): void
{
    try {
        $words = $call();
    } catch (Throwable $error) {
        $words = '! ' . $error->getMessage();
    }
    echo $name, ': ', preg_replace('/\s+/', ' ', $words), "\n";
}

function errorOf(LearnersApi $learners, string $learnerId): ErrorDetail
{
    try {
        $learners->getLearner($learnerId);
    } catch (ApiException $failure) {
        return $failure->getResponseObject()->getError();
    }
    throw new LogicException('there is such a learner');
}

tell('list', function () use ($policies) {
    $data = $policies->listPolicies()->getData();
    $uncategorised = array_filter($data, fn ($policy) => $policy->getCategory() === null);
    return sprintf('%d policies, %d uncategorised', count($data), count($uncategorised));
});
tell('report', function () {
    $data = (new ReportsApi())->getLearningReport()->getData();
    [$rows, $summary] = [$data->getRows(), $data->getSummary()];
    $ungraded = count(array_filter($rows, fn ($row) => $row->getGrade() === null));
    $counts = sprintf('%d rows, %d ungraded, %d passed', count($rows), $ungraded, $summary->getPassedCount());
    return sprintf('%s, %.2f', $counts, $summary->getAverageScore());
});
tell('missing', function () use ($learners) {
    $error = errorOf($learners, 'nobody');
    return sprintf('%s, %d details', $error->getCode(), count($error->getDetails()));
});
tell('bulk', function () use ($learners) {
    $row = fn ($email) => new LearnerCreationItem(['email' => $email, 'first_name' => 'Ada', 'last_name' => 'Byron']);
    $rows = array_map($row, [getenv('EMAIL'), 'ada@gmail.com']);
    $data = $learners->createLearners(new CreateLearnersInput(['learners' => $rows]))->getData();
    $errors = array_map(fn ($error) => $error->getIndex() . ' ' . $error->getCode(), $data->getErrors());
    return sprintf('%s, %s', json_encode($data->getSuccess()), implode(', ', $errors));
});
tell('upload', fn () => $policies->uploadPolicyFile(new SplFileObject(getenv('PDF_FILE')))->getData()->getSha256());
tell('deletion', function () use ($learners) {
    $input = new DeleteLearnersInput(['learner_ids' => [getenv('LEARNER_ID')]]);
    return json_encode($learners->deleteLearners($input)->getData());
});
tell('newer', function () use ($learners) {
    $code = errorOf($learners, 'newer')->getCode();
    return sprintf('%s, %s', $code, (new SimulationsApi())->listSimulations()->getData()[0]->getStatus());
});
