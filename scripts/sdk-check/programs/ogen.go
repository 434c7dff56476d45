package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"client"

	"github.com/google/uuid"
)

var (
	api        *client.Client
	background = context.Background()
)

type secrets struct{}

func (secrets) TenantKey(context.Context, client.OperationName) (client.TenantKey, error) {
	return client.TenantKey{Token: serviceKey}, nil
}

func (secrets) GoPhishSignature(context.Context, client.OperationName) (client.GoPhishSignature, error) {
	return client.GoPhishSignature{}, nil
}

// expect narrows a response, which has a type for each status.
func expect[T any](answer any, err error) (T, error) {
	wanted, ok := answer.(T)
	if err == nil && !ok {
		err = fmt.Errorf("the answer is a %T", answer)
	}
	return wanted, err
}

func main() {
	api, _ = client.NewClient(serviceURL, secrets{})
	tell("list", func() (string, error) {
		answer, err := expect[*client.PolicyListResponseHeaders](api.ListPolicies(background, client.ListPoliciesParams{}))
		if err != nil {
			return "", err
		}
		uncategorised := 0
		for _, policy := range answer.Response.Data {
			if policy.Category.Null {
				uncategorised++
			}
		}
		return policies(len(answer.Response.Data), uncategorised), nil
	})
	tell("report", func() (string, error) {
		answer, err := expect[*client.LearningReportResponseHeaders](
			api.GetLearningReport(background, client.GetLearningReportParams{}))
		if err != nil {
			return "", err
		}
		data := answer.Response.Data
		ungraded := 0
		for _, row := range data.Rows {
			if row.Grade.Null {
				ungraded++
			}
		}
		return report(len(data.Rows), ungraded, data.Summary.PassedCount, data.Summary.AverageScore.Value), nil
	})
	tell("missing", func() (string, error) {
		answer, err := expect[*client.NotFoundHeaders](
			api.GetLearner(background, client.GetLearnerParams{LearnerId: "nobody"}))
		if err != nil {
			return "", err
		}
		return missing(string(answer.Response.Error.Code), len(answer.Response.Error.Details)), nil
	})
	tell("bulk", func() (string, error) {
		rows := []client.LearnerCreationItem{}
		for _, email := range emails {
			rows = append(rows, client.LearnerCreationItem{Email: email, FirstName: "Ada", LastName: "Byron"})
		}
		answer, err := expect[*client.LearnerCreationResponseHeaders](
			api.CreateLearners(background, &client.CreateLearnersInput{Learners: rows}, client.CreateLearnersParams{}))
		if err != nil {
			return "", err
		}
		refused := []string{}
		for _, row := range answer.Response.Data.Errors {
			refused = append(refused, fmt.Sprintf("%d %s", row.Index, row.Code))
		}
		return bulk(answer.Response.Data.Success, refused), nil
	})
	tell("upload", func() (string, error) {
		pdf, err := os.Open(pdfFile)
		if err != nil {
			return "", err
		}
		facts, err := pdf.Stat()
		if err != nil {
			return "", err
		}
		// ogen streams a file without its length, which the service requires.
		withLength := client.WithEditRequest(func(request *http.Request) error {
			request.ContentLength = facts.Size()
			return nil
		})
		answer, err := expect[*client.PolicyFileResponseHeaders](api.UploadPolicyFile(background,
			&client.UploadPolicyFileReqApplicationPdf{Data: pdf}, client.UploadPolicyFileParams{}, withLength))
		if err != nil {
			return "", err
		}
		return answer.Response.Data.SHA256, nil
	})
	tell("deletion", func() (string, error) {
		input := &client.DeleteLearnersInput{LearnerIds: client.LearnerIds{client.ID(uuid.MustParse(learnerID))}}
		answer, err := expect[*client.SuccessResponseHeaders](
			api.DeleteLearners(background, input, client.DeleteLearnersParams{}))
		if err != nil {
			return "", err
		}
		return fmt.Sprint(answer.Response.Data), nil
	})
	tell("newer", func() (string, error) {
		failure, err := expect[*client.ForbiddenHeaders](
			api.GetLearner(background, client.GetLearnerParams{LearnerId: "newer"}))
		if err != nil {
			return "", err
		}
		answer, err := expect[*client.SimulationListResponseHeaders](
			api.ListSimulations(background, client.ListSimulationsParams{}))
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s, %s", failure.Response.Error.Code, answer.Response.Data[0].Status), nil
	})
}
