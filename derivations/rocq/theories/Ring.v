(* Equations and signs by polynomials: each step of a certificate is computed, and what it adds is shown to hold. *)
From Derivations Require Export Polynomials.
Local Open Scope R_scope.

Ltac run :=
  repeat match goal with
  | H : None = Some _ |- _ => discriminate H
  | H : false = true |- _ => discriminate H
  | H : Some _ = Some _ |- _ => injection H; clear H; intros; subst
  | H : (if ?x then _ else _) = Some _ |- _ => destruct x eqn:?
  | H : match ?x with _ => _ end = Some _ |- _ => destruct x eqn:?
  | H : _ && _ = true |- _ => apply andb_prop in H; destruct H
  end.

(* --- signs that formulas have by their form ---------------------------------------------------------------------- *)

Inductive sign := Any | NotNegative | Positive.
Definition signed (s : sign) (x : R) : Prop := match s with Any => True | NotNegative => 0 <= x | Positive => 0 < x end.

Definition of_sum (s t : sign) : sign :=
  match s, t with Any, _ | _, Any => Any | NotNegative, NotNegative => NotNegative | _, _ => Positive end.
Definition of_product (s t : sign) : sign :=
  match s, t with Any, _ | _, Any => Any | Positive, Positive => Positive | _, _ => NotNegative end.

Fixpoint is_known (r : rel) (t : formula) (l : list relation) : bool :=
  match l with
  | [] => false
  | (s, a, Num Z0 xH) :: l => (implies s r && same a t) || is_known r t l
  | _ :: l => is_known r t l
  end.

Lemma is_known_ok e r t l : all_valid e l -> is_known r t l = true -> compare r (ev e t) 0.
Proof.
  induction l as [|[[s a] b] l IH]; simpl; [discriminate|]. intros [V W] H.
  destruct b; try (apply IH; assumption). destruct p; try (apply IH; assumption).
  destruct q; try (apply IH; assumption). apply orb_prop in H. destruct H as [H|H]; [|apply IH; assumption].
  apply andb_prop in H. destruct H as [H K]. apply same_ok in K. subst. exact (implies_ok _ _ _ _ H V).
Qed.

Definition refined (known : list relation) (t : formula) (s : sign) : sign :=
  match s with
  | Positive => Positive
  | _ => if is_known Gt0 t known then Positive else if is_known Ge0 t known then NotNegative else s
  end.

Fixpoint sign_of (known : list relation) (t : formula) : sign :=
  refined known t
    match t with
    | Num (Zpos _) _ | Pi | Exponential _ _ | Fun Exp _ | Fun Cosh _ => Positive
    | Num Z0 _ | Fun Abs _ => NotNegative
    | Add a b => of_sum (sign_of known a) (sign_of known b)
    | Mul a b => of_product (sign_of known a) (sign_of known b)
    | Pow a k =>
        match sign_of known a with
        | Positive => Positive
        | s => if Z.even k then if is_known Ne0 a known then Positive else NotNegative else s
        end
    | Root a k => match sign_of known a with Positive => Positive | _ => NotNegative end
    | _ => Any
    end.

Lemma inverse_ge x : 0 <= x -> 0 <= / x.
Proof. intros [H|<-]; [left; apply Rinv_0_lt_compat; exact H | rewrite Rinv_0; lra]. Qed.

Lemma power_gt x k : 0 < x -> 0 < power x k.
Proof.
  intros H. destruct k; [simpl; lra | rewrite power_pos; apply pow_lt; exact H |].
  rewrite power_neg. apply Rinv_0_lt_compat, pow_lt, H.
Qed.

Lemma power_ge x k : 0 <= x -> 0 <= power x k.
Proof.
  intros H. destruct k; [simpl; lra | rewrite power_pos; apply pow_le; exact H |].
  rewrite power_neg. apply inverse_ge, pow_le, H.
Qed.

Lemma pow_twice x n : x ^ Pos.to_nat (xO n) = x ^ Pos.to_nat n * x ^ Pos.to_nat n.
Proof. rewrite Pos2Nat.inj_xO, <- pow_add. f_equal. lia. Qed.

Lemma power_even x k : Z.even k = true -> 0 <= power x k.
Proof.
  destruct k as [|[p|p|]|[p|p|]]; simpl Z.even; intros H; try discriminate H; [simpl; lra | |].
  - rewrite power_pos, pow_twice. apply Rle_0_sqr.
  - rewrite power_neg, pow_twice. apply inverse_ge, Rle_0_sqr.
Qed.

Lemma power_even_gt x k : x <> 0 -> Z.even k = true -> 0 < power x k.
Proof.
  intros N H. destruct (power_even x k H) as [P|E]; [exact P | exfalso].
  destruct k; [simpl in E; lra | rewrite power_pos in E | rewrite power_neg in E].
  - exact (pow_nonzero _ _ N (eq_sym E)).
  - exact (Rinv_neq_0_compat _ (pow_nonzero _ _ N) (eq_sym E)).
Qed.

Lemma of_sum_ok s t x y : signed s x -> signed t y -> signed (of_sum s t) (x + y).
Proof. destruct s, t; simpl; intros; trivial; lra. Qed.

Lemma of_product_ok s t x y : signed s x -> signed t y -> signed (of_product s t) (x * y).
Proof.
  destruct s, t; simpl; intros; trivial; try (apply Rmult_le_pos; lra). apply Rmult_lt_0_compat; assumption.
Qed.

Lemma number_ge p q : 0 <= IZR p -> 0 <= number p q.
Proof.
  intros H. unfold number. destruct q; try exact H; apply Rmult_le_pos; try exact H; apply inverse_ge; apply IZR_le; lia.
Qed.

Lemma number_gt p q : 0 < IZR p -> 0 < number p q.
Proof. intros H. unfold number. destruct q; try exact H; apply Rdiv_lt_0_compat; try exact H; apply IZR_lt; lia. Qed.

Lemma cosh_gt x : 0 < cosh x.
Proof. unfold cosh. assert (A := exp_pos x). assert (B := exp_pos (- x)). lra. Qed.

Lemma sign_ok e known t : all_valid e known -> signed (sign_of known t) (ev e t).
Proof.
  intros V.
  assert (K : forall t s, signed s (ev e t) -> signed (refined known t s) (ev e t)).
  { intros t' s H. unfold refined. destruct s; [| |exact H];
      destruct (is_known Gt0 t' known) eqn:G; try (exact (is_known_ok e Gt0 t' known V G));
      destruct (is_known Ge0 t' known) eqn:G'; try exact H; exact (is_known_ok e Ge0 t' known V G'). }
  induction t; cbn [sign_of]; apply K.
  - exact I.
  - destruct p; [apply number_ge; simpl; lra | apply number_gt; apply IZR_lt; lia | exact I].
  - exact PI_RGT_0.
  - apply of_sum_ok; assumption.
  - apply of_product_ok; assumption.
  - cbn [ev]. destruct (sign_of known t) eqn:S; simpl in IHt.
    + destruct (Z.even k) eqn:E; [|exact I]. destruct (is_known Ne0 t known) eqn:N.
      * apply power_even_gt; [exact (is_known_ok e Ne0 t known V N) | exact E].
      * apply power_even; exact E.
    + destruct (Z.even k) eqn:E; [|apply power_ge; exact IHt]. destruct (is_known Ne0 t known) eqn:N.
      * apply power_even_gt; [exact (is_known_ok e Ne0 t known V N) | exact E].
      * apply power_even; exact E.
    + apply power_gt; exact IHt.
  - cbn [ev]. destruct (sign_of known t) eqn:S; simpl in IHt; try (apply power_ge, sqrt_pos).
    apply power_gt, sqrt_lt_R0, IHt.
  - apply exp_pos.
  - destruct f; try exact I; [apply exp_pos | apply cosh_gt | apply Rabs_pos].
Qed.

(* --- fractions ----------------------------------------------------------------------------------------------------- *)

Definition fraction := (poly * poly)%type.
Definition fact := (poly * rel)%type.
(* a common divisor of two denominators, and what it leaves of the second and of the first *)
Definition hint := (poly * poly * poly)%type.
Definition entry := (formula * fraction)%type.

Definition fadd (f g : fraction) (hs : list hint) : option (fraction * list hint) :=
  let '(n, d) := f in
  let '(m, c) := g in
  if peq d pone then
    if peq c pone then Some ((padd n m, pone), hs) else Some ((padd (pmul n c) m, c), hs)
  else if peq c pone then Some ((padd n (pmul m d), d), hs)
  else
    match hs with
    | (k, u, v) :: hs =>
        if peq (pmul k u) c && peq (pmul k v) d
        then Some ((padd (pmul n u) (pmul m v), pmul d u), hs)
        else None
    | [] => None
    end.
Definition fmul (f g : fraction) : fraction := (pmul (fst f) (fst g), pmul (snd f) (snd g)).
Definition fpow (f : fraction) (n : positive) : fraction := (ppow (fst f) n, ppow (snd f) n).
Definition fneg (f : fraction) : fraction := (popp (fst f), snd f).

Definition number_is (r : rel) (q : Q) : bool :=
  match r, Qnum q with
  | Eq0, Z0 | Ne0, (Zpos _ | Zneg _) | Gt0, Zpos _ | Ge0, (Z0 | Zpos _) => true
  | _, _ => false
  end.

Definition fact_known (facts : list fact) (p : poly) (r : rel) : bool :=
  match constant p with
  | Some q => number_is r q
  | None =>
      existsb (fun f : fact =>
        (implies (snd f) r && peq (fst f) p) || (rel_eqb r Ne0 && implies (snd f) Ne0 && peq (popp (fst f)) p)) facts
  end.

Fixpoint lookup (t : formula) (table : list entry) : option fraction :=
  match table with [] => None | (s, f) :: table => if same s t then Some f else lookup t table end.

Section Steps.
Variable known : list relation.
Variable gens : list formula.

Definition apart (facts : list fact) (a : formula) (n : poly) : bool :=
  is_known Ne0 a known || match sign_of known a with Positive => true | _ => false end || fact_known facts n Ne0.

Fixpoint frac (table : list entry) (facts : list fact) (t : formula) (hs : list hint) : option (fraction * list hint) :=
  match t with
  | Num p q => Some ((pconst (Qmake p q), pone), hs)
  | Add a b =>
      match frac table facts a hs with
      | Some (f, hs) => match frac table facts b hs with Some (g, hs) => fadd f g hs | None => None end
      | None => None
      end
  | Mul a b =>
      match frac table facts a hs with
      | Some (f, hs) => match frac table facts b hs with Some (g, hs) => Some (fmul f g, hs) | None => None end
      | None => None
      end
  | Pow a k =>
      match frac table facts a hs with
      | Some (f, hs) =>
          match k with
          | Z0 => Some ((pone, pone), hs)
          | Zpos j => Some (fpow f j, hs)
          | Zneg j => if apart facts a (fst f) then Some (fpow (snd f, fst f) j, hs) else None
          end
      | None => None
      end
  | _ => match lookup t table with Some f => Some (f, hs) | None => None end
  end.

(* --- products and sums of facts ---------------------------------------------------------------------------------- *)

Record gathered := { value : poly; some_zero : bool; some_ge : bool; odd : list nat }.

Fixpoint toggle (k : nat) (l : list nat) : list nat :=
  match l with [] => [k] | j :: l => if Nat.eqb j k then l else j :: toggle k l end.

Definition with_fact (k : nat) (f : fact) (g : gathered) : gathered :=
  let p := pmul (fst f) (value g) in
  match snd f with
  | Eq0 => {| value := p; some_zero := true; some_ge := some_ge g; odd := odd g |}
  | Ge0 => {| value := p; some_zero := some_zero g; some_ge := true; odd := odd g |}
  | Gt0 => {| value := p; some_zero := some_zero g; some_ge := some_ge g; odd := odd g |}
  | Ne0 => {| value := p; some_zero := some_zero g; some_ge := some_ge g; odd := toggle k (odd g) |}
  end.

Fixpoint product (facts : list fact) (ks : list nat) : option gathered :=
  match ks with
  | [] => Some {| value := pone; some_zero := false; some_ge := false; odd := [] |}
  | k :: ks =>
      match nth_error facts k with
      | Some f => match product facts ks with Some g => Some (with_fact k f g) | None => None end
      | None => None
      end
  end.

Definition relation_of (g : gathered) : option rel :=
  if some_zero g then Some Eq0
  else match odd g with
    | [] => Some (if some_ge g then Ge0 else Gt0)
    | _ => if some_ge g then None else Some Ne0
    end.

Definition total := list (poly * list nat).

Definition weighted (w : poly) (r : rel) : option (list rel) :=
  match r with
  | Eq0 => Some []
  | _ =>
      match constant w with
      | Some q => match Qnum q, r with Zpos _, _ => Some [r] | Zneg _, (Ne0 | Gt0) => Some [Ne0] | _, _ => None end
      | None => None
      end
  end.

Fixpoint sum (facts : list fact) (l : total) : option (poly * list rel) :=
  match l with
  | [] => Some (pconst 0, [])
  | (w, ks) :: l =>
      match product facts ks with
      | Some g =>
          match relation_of g with
          | Some r =>
              match weighted w r with
              | Some rs =>
                  match sum facts l with
                  | Some (p, rs') => Some (padd (pmul w (value g)) p, rs ++ rs')
                  | None => None
                  end
              | None => None
              end
          | None => None
          end
      | None => None
      end
  end.

Definition of_relations (rs : list rel) : option rel :=
  match rs with
  | [] => Some Eq0
  | [r] => Some r
  | _ =>
      if forallb (fun r => match r with Gt0 | Ge0 => true | _ => false end) rs
      then Some (if existsb (rel_eqb Gt0) rs then Gt0 else Ge0)
      else None
  end.

Definition divided (k factor : rel) : option rel :=
  match k, factor with
  | Eq0, (Ne0 | Gt0) => Some Eq0
  | Gt0, (Gt0 | Ge0) => Some Gt0
  | Ge0, Gt0 => Some Ge0
  | (Gt0 | Ne0), _ => Some Ne0
  | _, _ => None
  end.

(* the relation to zero of a polynomial whose product with some facts is a sum of products of facts *)
Definition shown (facts : list fact) (p : poly) (times : list nat) (l : total) : option rel :=
  match product facts times with
  | Some g =>
      match relation_of g with
      | Some factor =>
          match sum facts l with
          | Some (q, rs) =>
              match of_relations rs with
              | Some k => if peq (pmul p (value g)) q then divided k factor else None
              | None => None
              end
          | None => None
          end
      | None => None
      end
  | None => None
  end.

(* --- steps ----------------------------------------------------------------------------------------------------------- *)

Inductive step :=
| Generator (k : positive)
| RewriteExp (t : formula) (powers : list (Z * positive)) (times : list nat) (l : total)
| RewriteLog (t : formula) (powers : list (Z * positive)) (times : list nat) (l : total)
| RewriteRoot (a : formula) (k : Z) (n d : poly) (m : positive) (times : list nat) (l : total)
| Given (k : nat)
| Value (t : formula)
| Denominator (t : formula)
| Sign (k : positive) (strict : bool)
| Square_root (k : positive)
| Square (p : poly)
| Factor (p q : poly) (ks : list nat)
| Exponent (t : formula) (p : poly) (times : list nat) (l : total)
| Over (p : poly) (times : list nat) (l : total)
| Total (l : total).

Record state := { table : list entry; facts : list fact; hints : list hint }.
Definition gen (k : positive) : formula := BinList.nth (Num 0 1) k gens.

Definition learn (s : state) (t : formula) (f : fraction) (hs : list hint) : state :=
  {| table := (t, f) :: table s; facts := facts s; hints := hs |}.
Definition add_fact (s : state) (p : poly) (r : rel) (hs : list hint) : state :=
  {| table := table s; facts := facts s ++ [(p, r)]; hints := hs |}.

Definition difference (s : state) (a b : formula) (hs : list hint) : option (fraction * list hint) :=
  match frac (table s) (facts s) b hs with
  | Some (g, hs) => match frac (table s) (facts s) a hs with Some (f, hs) => fadd f (fneg g) hs | None => None end
  | None => None
  end.
(* what has the relation to zero of a fraction *)
Definition numerator (r : rel) (f : fraction) : poly :=
  match r with Eq0 | Ne0 => fst f | _ => pmul (fst f) (snd f) end.

Definition scaled (k : Z) (f : fraction) : fraction := (pmul (fst f) (pconst (Qmake k 1)), snd f).
Definition raised_to (k : Z) (f : fraction) : option fraction :=
  match k with Z0 => None | Zpos n => Some (fpow f n) | Zneg n => Some (fpow (snd f, fst f) n) end.

(* the sum of multiples k a, and the product of powers f^k, where a generator f is a function of a *)
Fixpoint of_powers (s : state) (head : func) (powers : list (Z * positive)) (added multiplied : fraction)
    (hs : list hint) : option (fraction * fraction * list hint) :=
  match powers with
  | [] => Some (added, multiplied, hs)
  | (k, i) :: powers =>
      match gen i with
      | Fun f a =>
          if func_eqb f head then
            match frac (table s) (facts s) a hs with
            | Some (inside, hs) =>
                let generator := (pvar i, pone) in
                let '(term, factor) := match head with Exp => (inside, generator) | _ => (generator, inside) end in
                match fadd added (scaled k term) hs with
                | Some (added, hs) =>
                    match raised_to k factor with
                    | Some factor =>
                        if match head with Exp => true | _ => match sign_of known a with Positive => true | _ =>
                             fact_known (facts s) (pmul (fst inside) (snd inside)) Gt0 end end
                        then of_powers s head powers added (fmul multiplied factor) hs
                        else None
                    | None => None
                    end
                | None => None
                end
            | None => None
            end
          else None
      | _ => None
      end
  end.

Definition crossed (f g : fraction) : poly := psub (pmul (fst f) (snd g)) (pmul (fst g) (snd f)).
Definition equal (s : state) (f g : fraction) (times : list nat) (l : total) : bool :=
  match shown (facts s) (crossed f g) times l with Some Eq0 => true | _ => false end.

Definition own_demand (t : formula) : option (rel * formula) :=
  match t with
  | Fun Log a | Exponential a _ => Some (Gt0, a)
  | Fun Asin a => Some (Ge0, Add (Num 1 1) (Mul (Num (-1) 1) (Pow a 2)))
  | Root a (Zneg _) => Some (Gt0, a)
  | Root a _ => Some (Ge0, a)
  | Pow a (Zneg _) => Some (Ne0, a)
  | _ => None
  end.

Definition is_so (r : rel) (t : formula) : bool :=
  is_known r t known
  || match r, sign_of known t with (Gt0 | Ge0 | Ne0), Positive | Ge0, NotNegative => true | _, _ => false end.

Definition take (s : state) (st : step) : option state :=
  match st with
  | Generator k => Some (learn s (gen k) (pvar k, pone) (hints s))
  | RewriteExp t powers times l =>
      match frac (table s) (facts s) t (hints s) with
      | Some (argument, hs) =>
          match of_powers s Exp powers (pconst 0, pone) (pone, pone) hs with
          | Some (added, multiplied, hs) =>
              if equal s argument added times l then Some (learn s (Fun Exp t) multiplied hs) else None
          | None => None
          end
      | None => None
      end
  | RewriteLog t powers times l =>
      match frac (table s) (facts s) t (hints s) with
      | Some (argument, hs) =>
          match of_powers s Log powers (pconst 0, pone) (pone, pone) hs with
          | Some (added, multiplied, hs) =>
              if equal s argument multiplied times l then Some (learn s (Fun Log t) added hs) else None
          | None => None
          end
      | None => None
      end
  | RewriteRoot a k n d m times l =>
      match frac (table s) (facts s) a (hints s) with
      | Some (f, hs) =>
          let may := match k with Zpos _ => is_so Ge0 a || fact_known (facts s) (pmul (fst f) (snd f)) Ge0
                     | _ => is_so Gt0 a || fact_known (facts s) (pmul (fst f) (snd f)) Gt0 end in
          let one := fpow (n, d) (2 * m) in
          match raised_to (k * Zpos m) f with
          | Some other =>
              if may && fact_known (facts s) d Ne0 && fact_known (facts s) (pmul n d) Ge0 && equal s one other times l
              then Some (learn s (Root a k) (n, d) hs)
              else None
          | None => None
          end
      | None => None
      end
  | Given k =>
      match nth_error known k with
      | Some (r, a, b) =>
          match difference s a b (hints s) with
          | Some (f, hs) => Some (add_fact s (numerator r f) r hs)
          | None => None
          end
      | None => None
      end
  | Value t =>
      match own_demand t with
      | Some (r, a) =>
          if is_so r a then
            match frac (table s) (facts s) a (hints s) with
            | Some (f, hs) => Some (add_fact s (numerator r f) r hs)
            | None => None
            end
          else None
      | None => None
      end
  | Denominator t =>
      match frac (table s) (facts s) t (hints s) with
      | Some (f, hs) => Some (add_fact s (snd f) Ne0 hs)
      | None => None
      end
  | Sign k strict =>
      match sign_of known (gen k), strict with
      | Positive, true => Some (add_fact s (pvar k) Gt0 (hints s))
      | (Positive | NotNegative), false => Some (add_fact s (pvar k) Ge0 (hints s))
      | _, _ => None
      end
  | Square_root k =>
      match gen k with
      | Root a 1 =>
          match frac (table s) (facts s) a (hints s) with
          | Some (f, hs) =>
              if is_so Ge0 a || fact_known (facts s) (pmul (fst f) (snd f)) Ge0
              then Some (add_fact s (psub (pmul (ppow (pvar k) 2) (snd f)) (fst f)) Eq0 hs)
              else None
          | None => None
          end
      | _ => None
      end
  | Square p => Some (add_fact s (pmul p p) Ge0 (hints s))
  | Factor p q ks =>
      match product (facts s) ks with
      | Some g =>
          match relation_of g with
          | Some r => if implies r Ne0 && peq (pmul p q) (value g) then Some (add_fact s p Ne0 (hints s)) else None
          | None => None
          end
      | None => None
      end
  | Exponent t p times l =>
      match frac (table s) (facts s) t (hints s) with
      | Some (inside, hs) =>
          match frac (table s) (facts s) (Fun Exp t) hs with
          | Some (whole, hs) =>
              match shown (facts s) (pmul p (pmul (fst inside) (snd inside))) times l with
              | Some ((Gt0 | Ge0) as r) =>
                  Some (add_fact s (pmul p (pmul (psub (fst whole) (snd whole)) (snd whole))) r hs)
              | _ => None
              end
          | None => None
          end
      | None => None
      end
  | Over p times l =>
      match shown (facts s) p times l with Some r => Some (add_fact s p r (hints s)) | None => None end
  | Total l =>
      match sum (facts s) l with
      | Some (p, rs) => match of_relations rs with Some r => Some (add_fact s p r (hints s)) | None => None end
      | None => None
      end
  end.

Fixpoint take_all (s : state) (l : list step) : option state :=
  match l with [] => Some s | st :: l => match take s st with Some s => take_all s l | None => None end end.

Definition proves (hs : list hint) (steps : list step) (times : list nat) (l : total) (r : rel) (a b : formula) : bool :=
  match take_all {| table := []; facts := []; hints := hs |} steps with
  | Some s =>
      match difference s a b (hints s) with
      | Some (f, _) => match shown (facts s) (numerator r f) times l with Some k => implies k r | None => false end
      | None => false
      end
  | None => false
  end.

End Steps.
